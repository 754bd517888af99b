from corepy._cython.core cimport Device, Tensor

cpdef Tensor diff(
    object x, object axis=*, object n=*, object prepend=*, object append=*
)
