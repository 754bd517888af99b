// Launches by the driver in the context of the kernel, for any current device of the thread.
#pragma once

#include "launch.hpp"

namespace corepy {

// A function of the driver and its context, as the runtime passes them.
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

// Launches an EntryPoint in its context: a thread may have no context or that of another device.
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
  // A thread without a context keeps this one, as in the CUDA runtime.
  if (other && current) driver.set_context(current);
  return status;
}

}  // namespace corepy
