"""Every function of the standard on two devices, and against oracles that are independent."""
