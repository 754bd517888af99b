# Tensor: attributes, operators, and Python's protocols.
#
# Needs classes, convert, device, dispatch, dtypes, indexing, operators, protocols, storage,
# upcalls, views, cpu/elementwise.


# Without `binding` methods check the type of `self`, as C's do.
@cython.binding(False)
@cython.embedsignature(True)
@cython.embedsignature.format("clinic")
@cython.no_gc
cdef class Tensor:
    """An array of numbers on a device.

    Parameters
    ----------
    obj : array-like
        A Python scalar, a nested sequence of them, an ndarray, a Tensor, or anything that has
        DLPack or the buffer protocol.
    dtype : dtype, optional
        By default that of `obj`; Python scalars become bool, int64, float64 or complex128.
    device : Device or str, optional
        By default that of `obj`, or the CPU.
    copy : bool, optional
        True: always copy; False: never, raising ValueError where a copy would be needed; None:
        copy only if needed.

    Notes
    -----
    The attributes, methods and operators of the array API standard 2025.12, section "Array
    object". Results and elements are tensors, of no axes too. `corepy.ndarray`, which derives from
    this class, has NumPy's methods and gives NumPy's scalars.

    Examples
    --------
    >>> import corepy
    >>> corepy.Tensor([1, 2, 3]) * 2.5
    Tensor([2.5, 5. , 7.5])
    """

    # Operators of ndarrays defer to a Tensor's; NumPy's functions convert a Tensor by __array__.
    __array_priority__ = 1000

    def __cinit__(self):
        # Always valid: 0-d, one False. `new_tensor` relies on the 0-d layout.
        self.dims = self.layout
        self.steps = self.layout + 8
        self.data = self.small
        self.count = 1
        self.backend, self.device = HOST, CPU

    def __init__(self, obj, dtype=None, device=None, copy=None):
        cdef Tensor x
        if self.flags & READY:
            raise TypeError("Tensor: a tensor cannot be initialised again")
        x = asarray(obj, dtype, device, copy, "Tensor")
        if self.flags & READY:  # by code of `obj`
            raise TypeError("Tensor: a tensor cannot be initialised again")
        take_tensor(self, x)

    # ---- attributes

    @property
    def shape(self):
        """Sizes of the axes, a tuple of ints; empty for an array of one element without axes.

        Raises
        ------
        ValueError
            If it is assigned, and the number of elements differs or the elements would have to be
            copied.

        Notes
        -----
        It can be assigned, as in NumPy; `reshape` returns an array instead.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.shape
        (2, 2)
        """
        return shape_tuple(self.ndim, self.dims)

    @shape.setter
    def shape(self, value):
        value = as_shape("reshape", value, -1)
        materialize(self)
        cdef Tensor view = reshaped(self, value, False)
        if view is None:  # NumPy's error
            raise AttributeError(f"shape: {needs_copy(self, value)}; use x.reshape(shape)")
        take_shape(self, view)

    @property
    def dtype(self):
        """Data type of the elements, a NumPy dtype.

        Notes
        -----
        bfloat16 is the dtype of `ml_dtypes`. `astype` returns an array of another one.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.dtype
        dtype('float64')
        """
        return DTYPES[self.code]

    @property
    def size(self):
        """Number of elements, an int: the product of `shape`.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.size
        4
        """
        return self.count

    @property
    def itemsize(self):
        """Bytes of one element, an int.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.itemsize
        8
        """
        return dtype_itemsize[self.code]

    @property
    def nbytes(self):
        """Bytes of all elements, an int: `size` times `itemsize`.

        Notes
        -----
        It counts elements, not memory: views and deferred arrays have the same number.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.nbytes
        32
        """
        return self.count * dtype_itemsize[self.code]

    @property
    def strides(self):
        """Bytes from one element to the next along each axis, a tuple of ints.

        Notes
        -----
        Backends that do not expose strides have those of C order.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.strides, x.T.strides
        ((16, 8), (8, 16))
        """
        return shape_tuple(self.ndim, self.steps)

    @property
    def T(self):
        """The transpose, a view: the two axes of a matrix exchanged.

        Notes
        -----
        The standard has it for two axes alone. With another number all axes are reversed, as in
        NumPy; `mT` transposes a stack of matrices.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.T
        Tensor([[1., 3.],
                [2., 5.]])
        """
        cdef Py_ssize_t order[MAX_NDIM]
        cdef int axis
        for axis in range(self.ndim):
            order[axis] = self.ndim - 1 - axis
        return in_class_of(transposed(self, order), self)

    @property
    def mT(self):
        """The transposes of a stack of matrices, a view: the last two axes exchanged.

        Raises
        ------
        ValueError
            If there are fewer than two axes.

        Examples
        --------
        >>> import corepy
        >>> corepy.Tensor([[[1, 2, 3], [4, 5, 6]]]).mT.shape
        (1, 3, 2)
        """
        return matrix_transpose(self)

    @property
    def real(self):
        """The real components, of the real dtype of the same precision; real arrays themselves.

        Notes
        -----
        On the CPU it is a view, and can be assigned to; elsewhere a copy.

        Examples
        --------
        >>> import corepy
        >>> corepy.Tensor([1 + 2j, 3j]).real
        Tensor([1., 0.])
        """
        return self if not is_complex(self.code) else unary(OP_real, self)

    @real.setter
    def real(self, value):
        set_components(self, False, value)

    @property
    def imag(self):
        """The imaginary components, of the real dtype of the same precision; zeros of real arrays.

        Notes
        -----
        On the CPU it is a view of a complex array, and can be assigned to; elsewhere a copy.

        Examples
        --------
        >>> import corepy
        >>> corepy.Tensor([1 + 2j, 3j]).imag
        Tensor([2., 3.])
        """
        if self.code == DTYPE_bool:  # False, as in NumPy; the standard's imag takes numbers
            return binary(OP_not_equal, self, self)
        return unary(OP_imag, self)

    @imag.setter
    def imag(self, value):
        set_components(self, True, value)

    # ---- operators

    def __pos__(self):
        return operate_on_one(OP_positive, self)

    def __neg__(self):
        return operate_on_one(OP_negative, self)

    def __abs__(self):
        return operate_on_one(OP_abs, self)

    def __invert__(self):
        return operate_on_one(OP_bitwise_invert, self)

    def __add__(self, other):
        return operate(OP_add, self, other)

    def __radd__(self, other):
        return operate(OP_add, other, self)

    def __iadd__(self, other):
        return operate_inplace(OP_add, self, other)

    def __sub__(self, other):
        return operate(OP_subtract, self, other)

    def __rsub__(self, other):
        return operate(OP_subtract, other, self)

    def __isub__(self, other):
        return operate_inplace(OP_subtract, self, other)

    def __mul__(self, other):
        return operate(OP_multiply, self, other)

    def __rmul__(self, other):
        return operate(OP_multiply, other, self)

    def __imul__(self, other):
        return operate_inplace(OP_multiply, self, other)

    def __truediv__(self, other):
        return operate(OP_divide, self, other)

    def __rtruediv__(self, other):
        return operate(OP_divide, other, self)

    def __itruediv__(self, other):
        return operate_inplace(OP_divide, self, other)

    def __floordiv__(self, other):
        return operate(OP_floor_divide, self, other)

    def __rfloordiv__(self, other):
        return operate(OP_floor_divide, other, self)

    def __ifloordiv__(self, other):
        return operate_inplace(OP_floor_divide, self, other)

    def __mod__(self, other):
        return operate(OP_remainder, self, other)

    def __rmod__(self, other):
        return operate(OP_remainder, other, self)

    def __imod__(self, other):
        return operate_inplace(OP_remainder, self, other)

    def __divmod__(self, other):
        if is_operand(other):
            return self // other, self % other
        return operate_by_numpy(divmod, np.divmod, self, other)

    def __rdivmod__(self, other):
        if is_operand(other):
            return other // self, other % self
        return operate_by_numpy(divmod, np.divmod, other, self)

    def __pow__(self, other, modulo):
        return NotImplemented if modulo is not None else operate(OP_pow, self, other)

    def __rpow__(self, other, modulo):
        return NotImplemented if modulo is not None else operate(OP_pow, other, self)

    def __ipow__(self, other):
        return operate_inplace(OP_pow, self, other)

    def __and__(self, other):
        return operate(OP_bitwise_and, self, other)

    def __rand__(self, other):
        return operate(OP_bitwise_and, other, self)

    def __iand__(self, other):
        return operate_inplace(OP_bitwise_and, self, other)

    def __or__(self, other):
        return operate(OP_bitwise_or, self, other)

    def __ror__(self, other):
        return operate(OP_bitwise_or, other, self)

    def __ior__(self, other):
        return operate_inplace(OP_bitwise_or, self, other)

    def __xor__(self, other):
        return operate(OP_bitwise_xor, self, other)

    def __rxor__(self, other):
        return operate(OP_bitwise_xor, other, self)

    def __ixor__(self, other):
        return operate_inplace(OP_bitwise_xor, self, other)

    def __lshift__(self, other):
        return operate(OP_bitwise_left_shift, self, other)

    def __rlshift__(self, other):
        return operate(OP_bitwise_left_shift, other, self)

    def __ilshift__(self, other):
        return operate_inplace(OP_bitwise_left_shift, self, other)

    def __rshift__(self, other):
        return operate(OP_bitwise_right_shift, self, other)

    def __rrshift__(self, other):
        return operate(OP_bitwise_right_shift, other, self)

    def __irshift__(self, other):
        return operate_inplace(OP_bitwise_right_shift, self, other)

    def __matmul__(self, other):
        if is_operand(other):
            return as_operators(provided.matmul(self, other), self, other)
        return operate_by_numpy(operator.matmul, np.matmul, self, other)

    def __rmatmul__(self, other):
        if is_operand(other):
            return as_operators(provided.matmul(other, self), other, self)
        return operate_by_numpy(operator.matmul, np.matmul, other, self)

    def __imatmul__(self, other):
        if not is_operand(other):
            return inplace_by_numpy("matmul", np.matmul, self, other)
        return matmul_inplace(self, other)

    def __richcmp__(self, other, int comparison):
        if (is_complex(self.code) or has_complex_elements(other)) \
                and comparison != Py_EQ and comparison != Py_NE and self.device is CPU:
            return as_operators(ordered_as_numpy(comparison, self, other), self, other)
        result = operate(COMPARISONS[comparison], self, other)
        return result if result is not NotImplemented \
            else compared_by_other(comparison, self, other)

    # ---- indexing and iteration

    def __getitem__(self, key):
        cdef const char* address
        if PySlice_Check(key) and self.ndim and has_layout(self):
            result = first_part("getitem", self, key)
        elif in_host_memory(self):
            address = find_element("getitem", self, key)
            if address != NULL:
                return scalar_at(address, self.code) if type(self) is not Tensor \
                    else element_at(self, address)
            result = cpu_getitem(self, key)
        else:
            result = self.backend.getitem(self, key)
        if type(self) is Tensor or type(result) is type(self) and (<Tensor>result).ndim:
            return result
        return result_in(type(self), result, self, True)

    def __setitem__(self, key, value):
        # A deferred value that nobody else refers to is computed where it belongs.
        if is_tensor(value) and is_deferred(<Tensor>value) \
                and not is_deferred(self) and reference_count(<PyObject*>value) == 1 \
                and provided.compute_into(self, key, value):
            return
        materialize(self)
        if in_host_memory(self):
            cpu_setitem(self, key, value)
        else:
            setitem_elsewhere(self, key, value)

    def __delitem__(self, key):
        raise TypeError("delitem: a Tensor has a fixed size, elements cannot be deleted")

    def __len__(self):
        if self.ndim == 0:
            raise TypeError("len: a 0-d Tensor has no length")
        return self.dims[0]

    def __iter__(self):
        if self.ndim == 0:
            raise TypeError("iter: a 0-d Tensor cannot be iterated over")
        return rows_of(self)

    def __contains__(self, value):
        return bool(reduce(OP_any, self == value))

    # ---- one element as a Python scalar

    def __bool__(self):
        # For one element in several axes, too: SciPy and others rely on it.
        if self.count != 1:
            instead = "x.any() or x.all()" if self.count else "x.size > 0"
            raise ValueError(
                f"bool: the truth value of a Tensor of shape {self.shape} is ambiguous; "
                f"use {instead}"
            )
        return bool(only_element(self))

    def __int__(self):
        return int(real_element("int", self))

    def __float__(self):
        value = real_element("float", self)
        return value if PyFloat_CheckExact(value) else float(value)

    def __complex__(self):
        return complex(element("complex", self))

    def __index__(self):
        if self.ndim:  # `bytes` asks first: a short message, as text of shapes takes microseconds
            raise TypeError(
                f"index: expected a 0-d Tensor of integer dtype, got {self.ndim} dimensions"
            )
        if not is_integer(self.code):
            raise TypeError(
                f"index: expected a 0-d Tensor of integer dtype, got dtype {DTYPES[self.code]}"
            )
        return element("index", self)

    def __format__(self, str spec not None):
        if not spec and (self.ndim or type(self) is Tensor):
            return str(self)  # of an ndarray without axes NumPy formats the element
        if self.ndim:
            raise TypeError(
                f"format: {spec!r} needs a 0-d Tensor, got shape {self.shape}"
            )
        return format(element("format", self), spec)

    @cython.binding(False)
    def item(self, *index):
        """Return one element as a Python scalar.

        Parameters
        ----------
        *index : int
            An integer for each axis, or one that counts the elements in C order. None: the array
            has one element.

        Returns
        -------
        bool, int, float or complex
            The element.

        Raises
        ------
        ValueError
            If there is no index and the number of elements is not one.
        IndexError
            If there is no such element.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.item(1, 0), x.item(3)
        (3.0, 5.0)
        """
        cdef const char* address
        if index:
            key = index[0] if len(<tuple>index) == 1 else index
            if self.ndim != 1 and not isinstance(key, tuple):
                key = position_in_c_order(self, key)
            materialize(self)
            if in_host_memory(self):
                address = find_element("item", self, key)
                if address != NULL:
                    return load_scalar(address, self.code)
            return self[key].item()
        if self.count != 1:
            raise ValueError(
                f"item: expected a Tensor of one element, or an index, got shape {self.shape}"
            )
        return only_element(self)

    def __sizeof__(self):
        # Shared memory is counted for views that start at its beginning.
        cdef Py_ssize_t nbytes = type(self).__basicsize__
        if type(self.long_layout) is Block:
            nbytes += (<Block>self.long_layout).capacity
        if in_host_memory(self) and type(self.storage) is Block \
                and (<Block>self.storage).memory == self.data:
            nbytes += min(self.nbytes, <Py_ssize_t>(<Block>self.storage).capacity)
        return nbytes

    # ---- text

    def __repr__(self):
        from corepy import _format
        return _format.represent(self)

    def __str__(self):
        from corepy import _format
        return _format.render(self)

    def _repr_html_(self):
        """Return HTML, which Jupyter shows: facts, a thumbnail of a matrix, the elements."""
        from corepy import _format
        return _format.html(self)

    # ---- the standard's protocols

    def __array_namespace__(self, /, *, api_version=None):
        """Return this tensor's namespace of the array API standard.

        Parameters
        ----------
        api_version : str, optional
            Revision of the standard, ``"YYYY.MM"``; ValueError when there is no such revision.
        """
        return upcall("namespace")(self.device, api_version)

    def __dlpack__(self, /, *, stream=None, max_version=None, dl_device=None, copy=None):
        """Export the elements as a DLPack capsule, without a copy unless requested.

        Raises
        ------
        BufferError
            The elements cannot be exported so.
        """
        return to_dlpack(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self, /):
        """Return DLPack's (device type, device id)."""
        return self.backend.dlpack_device(self)

    @property
    def __cuda_array_interface__(self):
        """The interface for Numba, CuPy and PyTorch; only tensors on a GPU have this attribute."""
        return self.backend.cuda_array_interface(self)

    # ---- NumPy and the buffer protocol

    def __array__(self, /, dtype=None, copy=None):
        return array_protocol(self, dtype, copy)

    @property
    def __array_interface__(self):
        """The memory, for libraries that read NumPy's array interface; only of the CPU's."""
        if self.code == DTYPE_bfloat16:
            raise AttributeError("__array_interface__: it has no bfloat16")
        if self.device is not CPU:
            raise AttributeError(
                f"__array_interface__: this Tensor is on {self.device}; "
                "move it with x.to_device('cpu')"
            )
        expose(self)
        return array_protocol(self, None, None).__array_interface__

    def __jax_array__(self):
        """Return JAX's array of the elements, for operations of JAX."""
        from jax import numpy
        return numpy.asarray(self.to_numpy())

    def __getbuffer__(self, Py_buffer* view, int flags):
        fill_buffer(self, view, flags)

    # ---- copies and pickles

    def __copy__(self):
        return asarray(self, None, None, True)

    def __deepcopy__(self, memo):
        return asarray(self, None, None, True)

    def __reduce_ex__(self, protocol):
        # The ndarray takes care of protocol 5's out-of-band buffers.
        array = self.backend.to_numpy(self)
        return from_pickle, (np.asarray(array), str(self.device))

    def __dask_tokenize__(self):
        """Return what tells the tensor from others in the names of Dask's tasks."""
        materialize(self)
        return self.device.backend.token(self)

    # ---- methods that arrays of most libraries have, with the standard's arguments

    def reshape(self, *shape, copy=None):
        """Return the elements in another shape, in C order.

        Parameters
        ----------
        *shape : int or tuple of int
            The new shape, for as many elements. One size may be -1: it follows from the others.
        copy : bool, optional
            True copies always, False never, None only if the layout requires it.

        Returns
        -------
        Tensor
            Of the same dtype; a view where that is possible.

        Raises
        ------
        ValueError
            If the number of elements differs, or ``copy`` is False and a copy is needed.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.reshape(-1).shape
        (4,)
        """
        return reshape(self, shape[0] if len(shape) == 1 else shape, copy)

    def ravel(self):
        """Return the elements in one dimension, in C order.

        Returns
        -------
        Tensor
            Of the same dtype; a view where the layout allows it.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.ravel()
        Tensor([1., 2., 3., 5.])
        """
        return reshape(self, (-1,))

    def astype(self, dtype, *, copy=True, device=None):
        """Return the elements as another dtype.

        Parameters
        ----------
        dtype : dtype
            The dtype of the result.
        copy : bool, optional
            Whether to copy if the dtype is the same.
        device : Device or str, optional
            The device of the result; by default the array's.

        Returns
        -------
        Tensor
            Of the same shape. Floats are truncated to integers; of complex numbers the real
            components remain.

        Raises
        ------
        TypeError
            If it is no dtype of the standard, or the cast is from complex to real dtypes.

        Notes
        -----
        See `corepy.array_api.astype`.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> import corepy.array_api as xp
        >>> x.astype(xp.int32)
        Tensor([[1, 2],
                [3, 5]], dtype=int32)
        """
        return astype(self, dtype, copy, device)

    def copy(self):
        """Return a copy, on the same device.

        Returns
        -------
        Tensor
            Of the same shape and dtype, in C order, with memory of its own.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> y = x.copy()
        >>> y[0, 0] = 7.0
        >>> float(x[0, 0])
        1.0
        """
        return asarray(self, None, None, True)

    def sum(self, axis=None, *, dtype=None, keepdims=False):
        """Return the sum.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        dtype : dtype, optional
            dtype to compute in and to return; see `corepy.array_api.sum`.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        Tensor
            Of ``dtype``; 0 of no elements. Without the axes; 0-d if ``axis`` is None.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.sum(axis=0)
        Tensor([4., 7.])
        """
        return reduce(OP_sum, self, axis, keepdims, dtype)

    def prod(self, axis=None, *, dtype=None, keepdims=False):
        """Return the product.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        dtype : dtype, optional
            dtype to compute in and to return; see `corepy.array_api.prod`.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        Tensor
            Of ``dtype``; 1 of no elements. Without the axes; 0-d if ``axis`` is None.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.prod(axis=0)
        Tensor([ 3., 10.])
        """
        return reduce(OP_prod, self, axis, keepdims, dtype)

    def mean(self, axis=None, *, keepdims=False):
        """Return the arithmetic mean.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        Tensor
            Of the floating-point dtype; NaN of no elements. Without the axes; 0-d if ``axis`` is
            None.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.mean()
        Tensor(2.75)
        """
        return reduce(OP_mean, self, axis, keepdims)

    def std(self, axis=None, *, correction=0.0, keepdims=False):
        """Return the standard deviation.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        correction : float, optional
            What is subtracted from the number of elements in the divisor.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        Tensor
            Of the floating-point dtype. Without the axes; 0-d if ``axis`` is None.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.std(axis=0)
        Tensor([1. , 1.5])
        """
        return reduce(OP_std, self, axis, keepdims, None, correction)

    def var(self, axis=None, *, correction=0.0, keepdims=False):
        """Return the variance.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        correction : float, optional
            What is subtracted from the number of elements in the divisor.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        Tensor
            Of the floating-point dtype. Without the axes; 0-d if ``axis`` is None.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.var(axis=0)
        Tensor([1.  , 2.25])
        """
        return reduce(OP_var, self, axis, keepdims, None, correction)

    def min(self, axis=None, *, keepdims=False):
        """Return the minimum.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        Tensor
            Of the dtype of the array; a NaN is the minimum. Without the axes; 0-d if ``axis`` is
            None.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.
        ValueError
            If there is nothing to take it of.
        TypeError
            If the dtype is complex.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.min(axis=1)
        Tensor([1., 3.])
        """
        return reduce(OP_min, self, axis, keepdims)

    def max(self, axis=None, *, keepdims=False):
        """Return the maximum.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        Tensor
            Of the dtype of the array; a NaN is the maximum. Without the axes; 0-d if ``axis`` is
            None.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.
        ValueError
            If there is nothing to take it of.
        TypeError
            If the dtype is complex.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.max(axis=1)
        Tensor([2., 5.])
        """
        return reduce(OP_max, self, axis, keepdims)

    def any(self, axis=None, *, keepdims=False):
        """Return whether any element is true.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        Tensor
            Of dtype bool; false of no elements. Without the axes; 0-d if ``axis`` is None.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> (x > 2).any(axis=0)
        Tensor([ True,  True])
        """
        return reduce(OP_any, self, axis, keepdims)

    def all(self, axis=None, *, keepdims=False):
        """Return whether all elements are true.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        Tensor
            Of dtype bool; true of no elements. Without the axes; 0-d if ``axis`` is None.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> (x > 2).all(axis=1)
        Tensor([False,  True])
        """
        return reduce(OP_all, self, axis, keepdims)

    def argmin(self, axis=None, *, keepdims=False):
        """Return the index of the first minimum.

        Parameters
        ----------
        axis : int or None, optional
            Axis to search along; None searches the flattened array.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        Tensor
            Of dtype int64. Without the axes; 0-d if ``axis`` is None.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.
        ValueError
            If there is nothing to take it of.
        TypeError
            If the dtype is complex.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.argmin(axis=1)
        Tensor([0, 0])
        """
        return reduce(OP_argmin, self, axis, keepdims)

    def argmax(self, axis=None, *, keepdims=False):
        """Return the index of the first maximum.

        Parameters
        ----------
        axis : int or None, optional
            Axis to search along; None searches the flattened array.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        Tensor
            Of dtype int64. Without the axes; 0-d if ``axis`` is None.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.
        ValueError
            If there is nothing to take it of.
        TypeError
            If the dtype is complex.

        Examples
        --------
        >>> import corepy
        >>> x = corepy.Tensor([[1.0, 2.0], [3.0, 5.0]])
        >>> x.argmax(axis=1)
        Tensor([1, 1])
        """
        return reduce(OP_argmax, self, axis, keepdims)
