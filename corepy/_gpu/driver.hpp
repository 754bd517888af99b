// The driver's launch, made independent of which device is current in the calling thread.
#pragma once

#include "launch.hpp"

namespace corepy {

// What the runtime over CuPy gives for a function: the driver's, and the context that it is in.
struct EntryPoint {
  void* function;
  void* context;
};

typedef int (*GetContext)(void**);
typedef int (*SetContext)(void*);

// cuLaunchKernel, cuCtxGetCurrent and cuCtxSetCurrent, or HIP's.
struct Driver {
  LaunchFunction launch;
  GetContext get_context;
  SetContext set_context;
};

inline Driver driver;

// Launches an EntryPoint. A thread that never used the device has no context, and on a machine
// with several devices it may have another's: the right one is set for the launch alone.
inline int launch_in_context(void* entry, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                             void* stream, void** parameters, void** extra) {
  const EntryPoint& point = *static_cast<const EntryPoint*>(entry);
  void* current = nullptr;
  if (const int status = driver.get_context(&current)) return status;
  const bool other = current != point.context;
  if (other) {
    if (const int status = driver.set_context(point.context)) return status;
  }
  const int status = driver.launch(point.function, grid_x, grid_y, grid_z, block_x, block_y,
                                   block_z, shared, stream, parameters, extra);
  // A thread without a context keeps this one, as the driver's own library does.
  if (other && current) driver.set_context(current);
  return status;
}

}  // namespace corepy
