from corepy._cython.core cimport Tensor

cpdef Tensor diff(
    object x, object axis=*, object n=*, object prepend=*, object append=*
)
