# distutils: language = c++
"""`corepy.ndarray`, the array of the drop-in: a Tensor that behaves as NumPy's arrays do.

What a Tensor does, the standard's attributes, operators and indices, it inherits. On the CPU what
has no axes is a scalar of NumPy's, as NumPy's own results are (`core/classes.pxi`).
"""

cimport cython
from cpython.float cimport PyFloat_CheckExact
from cpython.object cimport PyTypeObject

from corepy.numpy.conversion cimport call_numpy, plain
from corepy._cython.core cimport (
    as_class, astype, CODES, CONTIGUOUS, copied, CPU, DTYPE_bool, expose, has_layout, held_dtype,
    in_drop_in, in_host_memory, in_ndarray, is_complex, lacks_elements, OP_all, OP_any, OP_argmax,
    OP_argmin, OP_conj, OP_max, OP_mean, OP_min, OP_prod, OP_std, OP_sum, OP_var, Operation,
    permuted, raveled, reduce, reshape, resize_in_place, result_in, seen_as, small_integer, squeeze,
    take_tensor, Tensor, unary, view_all, without_ones,
)

import functools
import pickle
from types import GenericAlias

import numpy as np

from corepy.numpy.conversion import owns_memory, set_writeable
from corepy._cython.core import asarray, enter_ndarray
from corepy._cython.core import from_pickle as tensor_from_pickle

# No argument.
cdef object NOTHING = np._NoValue


cdef inline object result(Tensor self, object value):
    """What a method returns: in the class of the array, or a scalar of NumPy's."""
    if type(self) is ndarray:
        return in_ndarray(value, True)
    return result_in(type(self), value, self, True)


cdef inline object place(Tensor self, object value):
    """The place of an element: without axes a number for arrays of all classes."""
    return result(self, value) if (<Tensor>value).ndim else in_ndarray(plain(value), True)


cdef object by_numpy(str name, Tensor self, tuple args, dict kwargs):
    """Call NumPy's method over the same memory, for what is NumPy's alone."""
    return call_numpy(name, getattr(np.ndarray, name), (self, *args), kwargs)


def function_at(path):
    """Return a function of the drop-in, which programs of the standard alone do not import."""
    from corepy.numpy import _names
    return _names.at(path)


cdef object function_with(
    str name, Tensor self, object axis, object dtype, object out, object keepdims, object initial,
    object where
):
    """A reduction with the arguments that only NumPy's has, by the drop-in's function."""
    cdef dict kwargs = {"axis": axis, "keepdims": keepdims}
    if dtype is not None:
        kwargs["dtype"] = dtype
    if out is not None:
        kwargs["out"] = out
    if initial is not NOTHING:
        kwargs["initial"] = initial
    if where is not True:
        kwargs["where"] = where
    return function_at(name)(self, **kwargs)


def calling(function):
    """Return a method of NumPy's that calls a function with the array first.

    Parameters
    ----------
    function : callable
        Returns the function of the method's name, at the first call.
    """
    def make(str name, str text):
        found = None

        @functools.wraps(getattr(np.ndarray, name))
        def method(self, /, *args, **kwargs):
            nonlocal found
            if found is None:
                found = function(name)
            return found(self, *args, **kwargs)

        method.__doc__ = text
        return method
    return make


def own_method(name):
    """Return the function of the methods that are no functions of the drop-in."""
    from corepy.numpy import _methods
    return _methods.find(name)


same_function = calling(function_at)
other_function = calling(own_method)


cdef bint can_hold(Tensor x, object dtype) except -1:
    """Whether a Tensor has such a dtype, and a cast to it drops no imaginary components."""
    cdef int code = CODES.get(dtype, -1) if dtype.isnative else -1
    return code >= 0 and (not is_complex(x.code) or is_complex(code) or code == DTYPE_bool)


@cython.no_gc
cdef class ndarray(Tensor):
    """An array of numbers on a device, which behaves as NumPy's arrays do.

    Arrays are made by `corepy.array`, `corepy.zeros`, `corepy.empty` and the like; this is the
    low-level constructor.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, optional
        By default float64.
    buffer : object with the buffer interface, optional
        The memory; by default new memory, which is not initialised.
    offset : int, optional
        Bytes from the start of the buffer to the first element.
    strides : tuple of int, optional
        Bytes from one element to the next along each axis.
    order : {"C", "F"}, optional
        The order of the elements where there are no strides.

    Notes
    -----
    It has the methods and attributes of `numpy.ndarray`. On the CPU elements, and results without
    axes, are scalars of NumPy's; on other devices they are arrays without axes.

    Examples
    --------
    >>> import corepy as np
    >>> np.array([1, 2, 3]) * 2.5
    array([2.5, 5. , 7.5])
    """

    __array_finalize__ = None
    __class_getitem__ = classmethod(GenericAlias)  # for annotations

    def __cinit__(
        self, shape, dtype=float, buffer=None, offset=0, strides=None, order=None
    ):
        array = np.ndarray(shape, dtype, buffer, offset, strides, order)
        take_tensor(self, asarray(array, None, "cpu"))

    def __init__(self, *args, **kwargs):
        pass  # a class that derives from this one makes its arrays in `__new__`

    # ---- text, pickles

    def __repr__(self):
        from corepy import _format
        return _format.represent_array(self)

    def __reduce_ex__(self, protocol):
        return from_pickle, (type(self), np.asarray(self.backend.to_numpy(self)), str(self.device))

    # ---- dtype, shape and order

    def astype(self, /, dtype, order="K", casting="unsafe", subok=True, copy=True, *, device=None):
        """Return the elements as another dtype.

        Parameters
        ----------
        dtype : dtype
            The dtype of the result.
        order : {"C", "F", "A", "K"}, optional
            The order of the elements in memory.
        casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
            Which casts are allowed.
        subok : bool, optional
            Whether arrays of a class that derives from ndarray stay of that class.
        copy : bool, optional
            Whether to copy if nothing changes.
        device : Device or str, optional
            The device of the result; by default the array's. NumPy has no such argument.

        Returns
        -------
        ndarray
            Of the same shape.

        Raises
        ------
        TypeError
            If it is no dtype, or ``casting`` does not allow the cast.

        Notes
        -----
        As `numpy.ndarray.astype`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.astype(np.float32)
        array([3., 1., 2.], dtype=float32)
        """
        try:
            found = held_dtype(dtype)  # which knows bfloat16 by its name
            dtype = np.dtype(dtype) if found is None else found
        except TypeError as error:
            raise TypeError(f"astype: {error}") from None
        if device is not None or (
            order == "K" and casting == "unsafe"
            and (self.device is not CPU or can_hold(self, dtype))
        ):
            return astype(self, dtype, copy, device)
        return by_numpy("astype", self, (dtype, order, casting, subok, copy), {})

    def reshape(self, /, *shape, order="C", copy=None):
        """Return the elements in another shape.

        Parameters
        ----------
        *shape : int or tuple of int
            The new shape; one size may be -1.
        order : {"C", "F", "A"}, optional
            The order in which the elements are read and placed.
        copy : bool, optional
            True copies always, False never, None if needed.

        Returns
        -------
        ndarray
            Of the same dtype; a view where that is possible.

        Raises
        ------
        ValueError
            If the number of elements differs, or ``copy`` is False and a copy is needed.

        Notes
        -----
        As `numpy.ndarray.reshape`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.reshape(3, 1).shape
        (3, 1)
        """
        if order != "C":
            return by_numpy("reshape", self, shape, {"order": order, "copy": copy})
        return as_class(
            reshape(self, shape[0] if len(shape) == 1 else shape, copy), type(self), self, 1
        )

    @cython.binding(False)
    def squeeze(self, /, axis=None):
        """Return the array without its axes of size 1, a view.

        Parameters
        ----------
        axis : int or tuple of int, optional
            The axes to leave out; by default all of size 1.

        Returns
        -------
        ndarray
            Of the same dtype and elements.

        Raises
        ------
        ValueError
            If an axis of ``axis`` is of another size.

        Notes
        -----
        As `numpy.ndarray.squeeze`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.reshape(1, 3, 1).squeeze(axis=0).shape
        (3, 1)
        """
        if axis is None:
            if has_layout(self):
                return as_class(without_ones(self), type(self), self, 1)
            axis = tuple([k for k in range(self.ndim) if self.dims[k] == 1])
        return as_class(squeeze(self, axis), type(self), self, 1)

    def transpose(self, /, *axes):
        """Return the array with its axes in another order, a view.

        Parameters
        ----------
        *axes : int, or one tuple of int
            The axes in the new order; by default reversed.

        Returns
        -------
        ndarray
            Of the same dtype.

        Raises
        ------
        ValueError
            If ``axes`` is no permutation of the axes.

        Notes
        -----
        As `numpy.ndarray.transpose`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.reshape(1, 3).transpose(1, 0).shape
        (3, 1)
        """
        if not axes or axes == (None,):
            return self.T
        if len(axes) == 1 and not isinstance(axes[0], int):
            axes = tuple(axes[0])
        return as_class(permuted("transpose", self, axes), type(self), self, 1)

    def copy(self, /, order="C"):
        """Return a copy.

        Parameters
        ----------
        order : {"C", "F", "A", "K"}, optional
            The order of the elements in memory.

        Returns
        -------
        ndarray
            Of the same shape and dtype, with memory of its own.

        Notes
        -----
        As `numpy.ndarray.copy`. The order is C unless another is given.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> y = x.copy()
        >>> y[0] = 7
        >>> x
        array([3, 1, 2])
        """
        if order != "C":
            return by_numpy("copy", self, (order,), {})
        return as_class(copied(self), type(self), self, 1)

    def ravel(self, /, order="C"):
        """Return the elements in one dimension, contiguous.

        Parameters
        ----------
        order : {"C", "F", "A", "K"}, optional
            The order of the elements in memory.

        Returns
        -------
        ndarray
            Of the same dtype; a view where that is possible.

        Notes
        -----
        As `numpy.ndarray.ravel`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.ravel()
        array([1., 2., 3., 5.])
        """
        if order != "C":
            return by_numpy("ravel", self, (order,), {})
        cdef Tensor view = raveled(self)
        return as_class(
            view if view.flags & CONTIGUOUS else copied(view), type(self), self, 2
        )

    def flatten(self, /, order="C"):
        """Return a copy of the elements in one dimension.

        Parameters
        ----------
        order : {"C", "F", "A", "K"}, optional
            The order of the elements in memory.

        Returns
        -------
        ndarray
            Of the same dtype.

        Notes
        -----
        As `numpy.ndarray.flatten`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.flatten(order="F")
        array([1., 3., 2., 5.])
        """
        if order != "C":
            return by_numpy("flatten", self, (order,), {})
        return as_class(raveled(copied(self)), type(self), self, 1)

    def resize(self, /, *new_shape, refcheck=True):
        """Change shape and size in place.

        Parameters
        ----------
        *new_shape : int or tuple of int
            The new shape. What is added are zeros.
        refcheck : bool, optional
            Whether other references to the array are an error.

        Raises
        ------
        ValueError
            If other arrays refer to the memory, the array is not in C order, or, unless
            ``refcheck`` is false, there are other references to it.

        Notes
        -----
        As `numpy.ndarray.resize`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.resize(5, refcheck=False)
        >>> x
        array([3, 1, 2, 0, 0])
        """
        if new_shape and new_shape != (None,):
            resize_in_place(self, new_shape[0] if len(new_shape) == 1 else new_shape, refcheck)

    def fill(self, /, value):
        """Write one value to all elements, in place.

        Parameters
        ----------
        value : scalar
            The value, which is cast to the dtype of the array.

        Raises
        ------
        OverflowError
            If a Python integer is out of the range of the dtype.

        Notes
        -----
        As `numpy.ndarray.fill`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.fill(4)
        >>> x
        array([4, 4, 4])
        """
        cdef Py_ssize_t whole
        if PyFloat_CheckExact(value) or small_integer(value, &whole) or self.device is not CPU:
            self[...] = value
        else:
            by_numpy("fill", self, (value,), {})

    def view(self, /, *args, **kwargs):
        """Return a view of the same memory.

        Parameters
        ----------
        dtype : dtype or class, optional
            The dtype that the memory is read as, or the class of the view.
        type : class, optional
            The class of the view.

        Returns
        -------
        ndarray
            Of the same elements; of another dtype, as many as the memory has of it.

        Raises
        ------
        ValueError
            If the size of the dtype does not fit the last axis.

        Notes
        -----
        As `numpy.ndarray.view`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.view(np.uint8).shape
        (24,)
        """
        cdef object cls = type(self)
        if args and isinstance(args[0], type) and issubclass(args[0], Tensor):
            cls, args = args[0], args[1:]
        elif "type" in kwargs and issubclass(kwargs["type"], Tensor):
            cls = kwargs.pop("type")
        if not kwargs and not args:
            return as_class(view_all(self), cls, self, 1)
        if len(args) == 1 and not kwargs and in_host_memory(self):
            view = seen_as(self, args[0])
            if view is not None:
                return as_class(view, cls, self, 2)
        return by_numpy("view", self, args, kwargs)

    def conj(self, /):
        """Return the complex conjugates; of real arrays the array itself or a copy.

        Returns
        -------
        ndarray
            Of the same shape and dtype.

        Notes
        -----
        As `numpy.ndarray.conj`.

        Examples
        --------
        >>> import corepy as np
        >>> np.array([1 + 2j]).conj()
        array([1.-2.j])
        """
        if self.code == DTYPE_bool:
            return self  # as in NumPy, where it is no number for the function conj
        return result(self, unary(OP_conj, self))

    # ---- the functions of the same name

    argpartition = same_function("argpartition", """
    Return the indices that would partition the array.

    Parameters
    ----------
    kth : int or sequence of int
        The positions whose elements are those of the sorted array.
    axis : int or None, optional
        The axis; None: the flattened array.
    kind : str, optional
        The algorithm, by one of NumPy's names.
    order : str, optional
        A field to sort by; arrays of Corepy have none.

    Returns
    -------
    ndarray of int64
        Of the shape of the array.

    Raises
    ------
    ValueError
        If there is no such position.

    Notes
    -----
    As `numpy.ndarray.argpartition`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.argpartition(1)[1]
    np.int64(2)
    """)
    argsort = same_function("argsort", """
    Return the indices that would sort the array.

    Parameters
    ----------
    axis : int or None, optional
        The axis; None: the flattened array.
    kind : str, optional
        The algorithm, by one of NumPy's names.
    order : str, optional
        A field to sort by; arrays of Corepy have none.
    stable : bool, optional
        Whether equal elements keep their order.

    Returns
    -------
    ndarray of int64
        Of the shape of the array.

    Raises
    ------
    numpy.exceptions.AxisError
        If there is no such axis.

    Notes
    -----
    As `numpy.ndarray.argsort`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.argsort()
    array([1, 2, 0])
    """)
    choose = same_function("choose", """
    Return elements of several arrays, by the elements of this one.

    Parameters
    ----------
    choices : sequence of array_like
        The arrays, which broadcast together.
    out : ndarray, optional
        Where to write the result, which is returned.
    mode : {"raise", "wrap", "clip"}, optional
        What indices out of range are: an error, wrapped around, or the nearest ones.

    Returns
    -------
    ndarray
        Where this array is ``k``, the element of ``choices[k]``.

    Raises
    ------
    ValueError
        If an element is no index of ``choices``, and ``mode`` is "raise".

    Notes
    -----
    As `numpy.ndarray.choose`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> np.array([1, 0]).choose([[10, 20], [30, 40]])
    array([30, 20])
    """)
    cumprod = same_function("cumprod", """
    Return the products of the elements up to each one.

    Parameters
    ----------
    axis : int or None, optional
        The axis; None: the flattened array.
    dtype : dtype, optional
        dtype to compute in and to return.
    out : ndarray, optional
        Where to write the result, which is returned.

    Returns
    -------
    ndarray
        Of the shape of the array; flattened if ``axis`` is None.

    Raises
    ------
    numpy.exceptions.AxisError
        If there is no such axis.

    Notes
    -----
    As `numpy.ndarray.cumprod`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.cumprod()
    array([3, 3, 6])
    """)
    cumsum = same_function("cumsum", """
    Return the sums of the elements up to each one.

    Parameters
    ----------
    axis : int or None, optional
        The axis; None: the flattened array.
    dtype : dtype, optional
        dtype to compute in and to return.
    out : ndarray, optional
        Where to write the result, which is returned.

    Returns
    -------
    ndarray
        Of the shape of the array; flattened if ``axis`` is None.

    Raises
    ------
    numpy.exceptions.AxisError
        If there is no such axis.

    Notes
    -----
    As `numpy.ndarray.cumsum`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.cumsum()
    array([3, 4, 6])
    """)
    diagonal = same_function("diagonal", """
    Return the diagonals of matrices, a view.

    Parameters
    ----------
    offset : int, optional
        Which diagonal: above the main one if positive.
    axis1, axis2 : int, optional
        The axes of the matrices.

    Returns
    -------
    ndarray
        Without the two axes; the diagonals are the last one.

    Raises
    ------
    ValueError
        If there are fewer than two axes.

    Notes
    -----
    As `numpy.ndarray.diagonal`. NumPy's view cannot be written to.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.reshape(1, 3).diagonal(1)
    array([1])
    """)
    dot = same_function("dot", """
    Return the product with another array, as `corepy.dot` does.

    Parameters
    ----------
    b : array_like
        The other array.
    out : ndarray, optional
        Where to write the result.

    Returns
    -------
    ndarray or scalar
        Of two vectors the inner product, of matrices the matrix product.

    Raises
    ------
    ValueError
        If the last axis and that of ``b`` differ in size.

    Notes
    -----
    As `numpy.ndarray.dot`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.dot([1, 1, 1])
    np.int64(6)
    """)
    nonzero = same_function("nonzero", """
    Return the indices of the elements that are not zero.

    Returns
    -------
    tuple of ndarray of int64
        One for each axis.

    Notes
    -----
    As `numpy.ndarray.nonzero`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> (x > 1).nonzero()
    (array([0, 2]),)
    """)
    put = same_function("put", """
    Write values to elements, in place.

    Parameters
    ----------
    indices : array_like of int
        Places of the flattened array.
    values : array_like
        The values, repeated if there are fewer than indices.
    mode : {"raise", "wrap", "clip"}, optional
        What indices out of range are: an error, wrapped around, or the nearest ones.

    Raises
    ------
    IndexError
        If an index is out of range and ``mode`` is "raise".

    Notes
    -----
    As `numpy.ndarray.put`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.put([0, 2], [7, 8])
    >>> x
    array([7, 1, 8])
    """)
    repeat = same_function("repeat", """
    Repeat elements.

    Parameters
    ----------
    repeats : int or array_like of int
        How often, for all or for each.
    axis : int or None, optional
        The axis; None: the flattened array.

    Returns
    -------
    ndarray
        Of the dtype of the array; flattened if ``axis`` is None.

    Raises
    ------
    ValueError
        If a number is negative, or there is not one for each element.

    Notes
    -----
    As `numpy.ndarray.repeat`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.repeat(2)
    array([3, 3, 1, 1, 2, 2])
    """)
    round = same_function("round", """
    Round the elements, halves to even.

    Parameters
    ----------
    decimals : int, optional
        Digits after the point; before it if negative.
    out : ndarray, optional
        Where to write the result, which is returned.

    Returns
    -------
    ndarray
        Of the shape and dtype of the array.

    Notes
    -----
    As `numpy.ndarray.round`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> np.array([1.25, 2.5]).round(1)
    array([1.2, 2.5])
    """)
    searchsorted = same_function("searchsorted", """
    Find where elements would be inserted to keep the array sorted.

    Parameters
    ----------
    v : array_like
        The elements.
    side : {"left", "right"}, optional
        Before or after equal elements.
    sorter : array_like of int, optional
        The indices that sort the array, if it is not.

    Returns
    -------
    ndarray of int64, or a scalar
        Of the shape of ``v``.

    Raises
    ------
    ValueError
        If the array has not one axis.

    Notes
    -----
    As `numpy.ndarray.searchsorted`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> np.array([1, 2, 3]).searchsorted([2, 5])
    array([1, 3])
    """)
    swapaxes = same_function("swapaxes", """
    Exchange two axes, a view.

    Parameters
    ----------
    axis1, axis2 : int
        The axes.

    Returns
    -------
    ndarray
        Of the same dtype.

    Raises
    ------
    numpy.exceptions.AxisError
        If there is no such axis.

    Notes
    -----
    As `numpy.ndarray.swapaxes`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.reshape(1, 3).swapaxes(0, 1).shape
    (3, 1)
    """)
    take = same_function("take", """
    Return elements along an axis, by their indices.

    Parameters
    ----------
    indices : array_like of int
        The indices.
    axis : int or None, optional
        The axis; None: the flattened array.
    out : ndarray, optional
        Where to write the result, which is returned.
    mode : {"raise", "wrap", "clip"}, optional
        What indices out of range are: an error, wrapped around, or the nearest ones.

    Returns
    -------
    ndarray
        Of the dtype of the array; the axis is replaced by those of ``indices``.

    Raises
    ------
    IndexError
        If an index is out of range and ``mode`` is "raise".

    Notes
    -----
    As `numpy.ndarray.take`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.take([2, 0])
    array([2, 3])
    """)
    trace = same_function("trace", """
    Return the sums of the diagonals of matrices.

    Parameters
    ----------
    offset : int, optional
        Which diagonal.
    axis1, axis2 : int, optional
        The axes of the matrices.
    dtype : dtype, optional
        dtype to compute in and to return.
    out : ndarray, optional
        Where to write the result, which is returned.

    Returns
    -------
    ndarray or scalar
        Without the two axes.

    Raises
    ------
    ValueError
        If there are fewer than two axes.

    Notes
    -----
    As `numpy.ndarray.trace`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> np.eye(3).trace()
    np.float64(3.0)
    """)

    def compress(self, condition, /, axis=None, out=None):
        """Return the slices where a condition is true.

        Parameters
        ----------
        condition : array_like of bool
            A value for each slice along the axis; what it does not reach is left out.
        axis : int or None, optional
            The axis; None: the flattened array.
        out : ndarray, optional
            Where to write the result, which is returned.

        Returns
        -------
        ndarray
            Of the dtype of the array.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Notes
        -----
        As `numpy.ndarray.compress`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.compress([True, False, True])
        array([3, 2])
        """
        return function_at("compress")(condition, self, axis, out)

    # ---- what no function does, and what NumPy does over the same memory

    clip = other_function("clip", """
    Limit the elements to an interval.

    Parameters
    ----------
    min, max : array_like, optional
        The ends; None: no limit.
    out : ndarray, optional
        Where to write the result, which is returned.
    **kwargs
        The keywords of ufuncs.

    Returns
    -------
    ndarray
        Of the promoted dtype and broadcast shape.

    Raises
    ------
    ValueError
        If the shapes do not broadcast.

    Notes
    -----
    As `numpy.ndarray.clip`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.clip(1, 2)
    array([2, 1, 2])
    """)
    conjugate = other_function("conjugate", """
    Return the complex conjugates; another name of `conj`.

    Returns
    -------
    ndarray
        Of the shape and dtype of the array.

    Notes
    -----
    As `numpy.ndarray.conjugate`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> np.array([2j]).conjugate()
    array([0.-2.j])
    """)
    partition = other_function("partition", """
    Partition the array in place: what is at a position is what a sorted array has there.

    Parameters
    ----------
    kth : int or sequence of int
        The positions whose elements are those of the sorted array.
    axis : int, optional
        The axis.
    kind : str, optional
        The algorithm, by one of NumPy's names.
    order : str, optional
        A field to sort by; arrays of Corepy have none.

    Raises
    ------
    ValueError
        If there is no such position.

    Notes
    -----
    As `numpy.ndarray.partition`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.partition(1)
    >>> x[1]
    np.int64(2)
    """)
    sort = other_function("sort", """
    Sort the array in place; NaN come last.

    Parameters
    ----------
    axis : int, optional
        The axis.
    kind : str, optional
        The algorithm, by one of NumPy's names.
    order : str, optional
        A field to sort by; arrays of Corepy have none.
    stable : bool, optional
        Whether equal elements keep their order.

    Raises
    ------
    numpy.exceptions.AxisError
        If there is no such axis.

    Notes
    -----
    As `numpy.ndarray.sort`.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> x.sort()
    >>> x
    array([1, 2, 3])
    """)
    byteswap = other_function("byteswap", """
    Reverse the bytes of each element.

    Parameters
    ----------
    inplace : bool, optional
        Whether to change the array itself.

    Returns
    -------
    ndarray
        Of the shape and dtype of the array.

    Notes
    -----
    As `numpy.ndarray.byteswap`. NumPy computes it, on the CPU alone.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> np.array([1], dtype=np.int16).byteswap()
    array([256], dtype=int16)
    """)
    getfield = other_function("getfield", """
    Return a part of each element as another dtype, a view.

    Parameters
    ----------
    dtype : dtype
        The dtype of the part, at most as large.
    offset : int, optional
        Bytes before it in the element.

    Returns
    -------
    ndarray
        Of the shape of the array.

    Raises
    ------
    ValueError
        If the part is not within the element.

    Notes
    -----
    As `numpy.ndarray.getfield`. NumPy computes it, on the CPU alone.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> np.array([1 + 2j]).getfield(np.float64, 8)
    array([2.])
    """)
    setfield = other_function("setfield", """
    Write to a part of each element, in place.

    Parameters
    ----------
    val : array_like
        The values.
    dtype : dtype
        The dtype of the part.
    offset : int, optional
        Bytes before it in the element.

    Raises
    ------
    ValueError
        If the part is not within the element.

    Notes
    -----
    As `numpy.ndarray.setfield`. NumPy computes it, on the CPU alone.

    Examples
    --------
    >>> import corepy as np
    >>> x = np.array([3, 1, 2])
    >>> y = np.zeros(2, dtype=complex)
    >>> y.setfield([1.0, 2.0], np.float64, 8)
    >>> y
    array([0.+1.j, 0.+2.j])
    """)

    # ---- memory

    def tobytes(self, /, order="C"):
        """Return the elements' bytes.

        Parameters
        ----------
        order : {"C", "F", "A"}, optional
            The order of the elements.

        Returns
        -------
        bytes
            `nbytes` of them, in the byte order of the machine.

        Notes
        -----
        As `numpy.ndarray.tobytes`. Elements of other devices are copied to the host.

        Examples
        --------
        >>> import corepy as np
        >>> np.array([1, 2], dtype=np.uint8).tobytes()
        b'\\x01\\x02'
        """
        if order == "C" and self.device is CPU:
            return memoryview(self).tobytes()
        return self.to_numpy().tobytes(order)

    def tofile(self, /, fid, sep="", format="%s"):
        """Write the elements to a file, in C order, without dtype and shape.

        Parameters
        ----------
        fid : file, str or Path
            An open file, or its name.
        sep : str, optional
            What separates elements in a text file; empty for a binary file.
        format : str, optional
            How an element is written as text.

        Raises
        ------
        OSError
            If the file cannot be written.

        Notes
        -----
        As `numpy.ndarray.tofile`. `corepy.save` writes dtype and shape, too.

        Examples
        --------
        >>> import io, os, tempfile
        >>> import corepy as np
        >>> path = os.path.join(tempfile.mkdtemp(), "x.txt")
        >>> np.array([1, 2]).tofile(path, sep=",")
        >>> open(path).read()
        '1,2'
        """
        self.to_numpy().tofile(fid, sep, format)

    def dumps(self, /):
        """Return a pickle of the array.

        Returns
        -------
        bytes
            What `pickle.loads` takes.

        Notes
        -----
        As `numpy.ndarray.dumps`.

        Examples
        --------
        >>> import pickle
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> pickle.loads(x.dumps())
        array([3, 1, 2])
        """
        return pickle.dumps(self, protocol=2)

    def dump(self, /, file):
        """Write a pickle of the array to a file.

        Parameters
        ----------
        file : file, str or Path
            An open binary file, or its name.

        Raises
        ------
        OSError
            If the file cannot be written.

        Notes
        -----
        As `numpy.ndarray.dump`.

        Examples
        --------
        >>> import io, pickle
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> file = io.BytesIO()
        >>> x.dump(file)
        >>> pickle.loads(file.getvalue())
        array([3, 1, 2])
        """
        if hasattr(file, "write"):
            pickle.dump(self, file, protocol=2)
            return
        with open(file, "wb") as opened:
            pickle.dump(self, opened, protocol=2)

    def setflags(self, /, *, write=None, align=None, uic=None):
        """Set whether the array can be written to.

        Parameters
        ----------
        write : bool, optional
            Whether it can.
        align, uic : bool, optional
            Flags of NumPy's that an array of Corepy cannot change.

        Raises
        ------
        ValueError
            If the memory cannot be written to, or another flag would change.

        Notes
        -----
        As `numpy.ndarray.setflags`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.setflags(write=False)
        >>> x.flags.writeable
        False
        """
        if write is not None:
            set_writeable(self, bool(write))
        if align is not None and not align:
            raise ValueError("setflags: an ndarray is always aligned")
        if uic:
            raise ValueError("setflags: an ndarray has no flag WRITEBACKIFCOPY to set")

    @property
    def flags(self):
        """The layout in memory: attributes such as ``c_contiguous``, ``writeable`` and ``owndata``.

        Notes
        -----
        As `numpy.ndarray.flags`. ``writeable`` can be assigned.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.flags.c_contiguous, x[::2].flags.c_contiguous
        (True, False)
        """
        from corepy.numpy._attributes import Flags
        return Flags(self)

    @property
    def flat(self):
        """The elements in C order: an iterator with indices, which can be assigned to.

        Notes
        -----
        As `numpy.ndarray.flat`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.flat[2], len(x.flat)
        (np.float64(3.0), 4)
        """
        from corepy.numpy._attributes import Flat
        return Flat(self)

    @flat.setter
    def flat(self, value):
        self.flat[:] = value

    @property
    def base(self):
        """None if no other array shares the memory, else a flat array of the part in use.

        Notes
        -----
        An array refers to memory, not to the array that it was made from: the flat array has the
        elements between the first and the last one. NumPy's attribute is the array that owns the
        memory.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.base is None, x[1:].base
        (True, array([1, 2]))
        """
        if owns_memory(self):
            return None
        array = self.to_numpy()
        array = array[tuple([slice(None, None, -1 if step < 0 else 1) for step in array.strides])]
        span = sum([(size - 1) * step for size, step in zip(array.shape, array.strides)])
        count = span // array.itemsize + 1 if array.size else 0
        flat = np.lib.stride_tricks.as_strided(array, (count,), (array.itemsize,))
        return in_drop_in(asarray(flat, device="cpu"))

    @property
    def data(self):
        """The memory, a memoryview over it with the array's format, shape and strides.

        Notes
        -----
        As `numpy.ndarray.data`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.data.shape, x.data.nbytes
        ((3,), 24)
        """
        return memoryview(self)

    @property
    def ctypes(self):
        """The memory for `ctypes`: an object with ``data``, the address, ``shape`` and ``strides``.

        Notes
        -----
        As `numpy.ndarray.ctypes`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([3, 1, 2])
        >>> x.ctypes.data == x.to_numpy().ctypes.data
        True
        """
        expose(self)
        return self.__array__().ctypes

    # ---- reductions

    def sum(
        self, /, axis=None, dtype=None, out=None, keepdims=False, initial=NOTHING, where=True
    ):
        """Return the sum.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        dtype : dtype, optional
            dtype to compute in and to return; see `corepy.array_api.sum`.
        out : ndarray, optional
            Where to write the result, which is returned.
        initial : number, optional
            The value to begin with.
        where : array_like of bool, optional
            The elements that are taken; it broadcasts with the array.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        ndarray or scalar
            Of ``dtype``; 0 of no elements. Without the axes; a scalar of NumPy if ``axis`` is None
            and the array is on the CPU.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Notes
        -----
        As `numpy.ndarray.sum`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.sum(axis=0)
        array([4., 7.])
        """
        if out is not None or initial is not NOTHING or where is not True:
            return function_with("sum", self, axis, dtype, out, keepdims, initial, where)
        return result(self, reduce(OP_sum, self, axis, keepdims, dtype))

    def prod(
        self, /, axis=None, dtype=None, out=None, keepdims=False, initial=NOTHING, where=True
    ):
        """Return the product.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        dtype : dtype, optional
            dtype to compute in and to return; see `corepy.array_api.prod`.
        out : ndarray, optional
            Where to write the result, which is returned.
        initial : number, optional
            The value to begin with.
        where : array_like of bool, optional
            The elements that are taken; it broadcasts with the array.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        ndarray or scalar
            Of ``dtype``; 1 of no elements. Without the axes; a scalar of NumPy if ``axis`` is None
            and the array is on the CPU.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Notes
        -----
        As `numpy.ndarray.prod`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.prod(axis=0)
        array([ 3., 10.])
        """
        if out is not None or initial is not NOTHING or where is not True:
            return function_with("prod", self, axis, dtype, out, keepdims, initial, where)
        return result(self, reduce(OP_prod, self, axis, keepdims, dtype))

    def mean(self, /, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
        """Return the arithmetic mean.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        dtype : dtype, optional
            dtype to compute in and to return.
        out : ndarray, optional
            Where to write the result, which is returned.
        where : array_like of bool, optional
            The elements that are taken; it broadcasts with the array.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        ndarray or scalar
            Of the floating-point dtype; NaN of no elements. Without the axes; a scalar of NumPy if
            ``axis`` is None and the array is on the CPU.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Notes
        -----
        As `numpy.ndarray.mean`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> float(x.mean())
        2.75
        """
        if out is not None or where is not True or lacks_elements(self, axis, 0):
            return function_with("mean", self, axis, dtype, out, keepdims, NOTHING, where)
        return result(self, reduce(
            OP_mean, self if dtype is None else astype(self, dtype, False), axis, keepdims
        ))

    def std(
        self, /, axis=None, dtype=None, out=None, ddof=0.0, keepdims=False, *, where=True,
        mean=NOTHING, correction=None,
    ):
        """Return the standard deviation.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        dtype : dtype, optional
            dtype to compute in and to return.
        out : ndarray, optional
            Where to write the result, which is returned.
        ddof : float, optional
            What is subtracted from the number of elements in the divisor; ``correction`` is another
            name.
        where : array_like of bool, optional
            The elements that are taken; it broadcasts with the array.
        mean : array_like, optional
            The mean, if it is known, with the reduced axes of size 1.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        ndarray or scalar
            Of the floating-point dtype. Without the axes; a scalar of NumPy if ``axis`` is None and
            the array is on the CPU.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Notes
        -----
        As `numpy.ndarray.std`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.std(axis=0)
        array([1. , 1.5])
        """
        return spread(
            "std", OP_std, self, axis, dtype, out, ddof, keepdims, where, mean, correction
        )

    def var(
        self, /, axis=None, dtype=None, out=None, ddof=0.0, keepdims=False, *, where=True,
        mean=NOTHING, correction=None,
    ):
        """Return the variance.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        dtype : dtype, optional
            dtype to compute in and to return.
        out : ndarray, optional
            Where to write the result, which is returned.
        ddof : float, optional
            What is subtracted from the number of elements in the divisor; ``correction`` is another
            name.
        where : array_like of bool, optional
            The elements that are taken; it broadcasts with the array.
        mean : array_like, optional
            The mean, if it is known, with the reduced axes of size 1.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        ndarray or scalar
            Of the floating-point dtype. Without the axes; a scalar of NumPy if ``axis`` is None and
            the array is on the CPU.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Notes
        -----
        As `numpy.ndarray.var`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.var(axis=0)
        array([1.  , 2.25])
        """
        return spread(
            "var", OP_var, self, axis, dtype, out, ddof, keepdims, where, mean, correction
        )

    def min(self, /, axis=None, out=None, keepdims=False, initial=NOTHING, where=True):
        """Return the minimum.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        out : ndarray, optional
            Where to write the result, which is returned.
        initial : number, optional
            The value to begin with.
        where : array_like of bool, optional
            The elements that are taken; it broadcasts with the array.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        ndarray or scalar
            Of the dtype of the array; a NaN is the minimum. Without the axes; a scalar of NumPy if
            ``axis`` is None and the array is on the CPU.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.
        ValueError
            If there is nothing to take it of.

        Notes
        -----
        As `numpy.ndarray.min`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.min(axis=1)
        array([1., 3.])
        """
        if out is not None or initial is not NOTHING or where is not True \
                or is_complex(self.code):
            return function_with("min", self, axis, None, out, keepdims, initial, where)
        return result(self, reduce(OP_min, self, axis, keepdims))

    def max(self, /, axis=None, out=None, keepdims=False, initial=NOTHING, where=True):
        """Return the maximum.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        out : ndarray, optional
            Where to write the result, which is returned.
        initial : number, optional
            The value to begin with.
        where : array_like of bool, optional
            The elements that are taken; it broadcasts with the array.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        ndarray or scalar
            Of the dtype of the array; a NaN is the maximum. Without the axes; a scalar of NumPy if
            ``axis`` is None and the array is on the CPU.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.
        ValueError
            If there is nothing to take it of.

        Notes
        -----
        As `numpy.ndarray.max`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.max(axis=1)
        array([2., 5.])
        """
        if out is not None or initial is not NOTHING or where is not True \
                or is_complex(self.code):
            return function_with("max", self, axis, None, out, keepdims, initial, where)
        return result(self, reduce(OP_max, self, axis, keepdims))

    def any(self, /, axis=None, out=None, keepdims=False, *, where=True):
        """Return whether any element is true.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        out : ndarray, optional
            Where to write the result, which is returned.
        where : array_like of bool, optional
            The elements that are taken; it broadcasts with the array.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        ndarray or scalar
            Of dtype bool; false of no elements. Without the axes; a scalar of NumPy if ``axis`` is
            None and the array is on the CPU.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Notes
        -----
        As `numpy.ndarray.any`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> (x > 2).any(axis=0)
        array([ True,  True])
        """
        if out is not None or where is not True:
            return function_with("any", self, axis, None, out, keepdims, NOTHING, where)
        return result(self, reduce(OP_any, self, axis, keepdims))

    def all(self, /, axis=None, out=None, keepdims=False, *, where=True):
        """Return whether all elements are true.

        Parameters
        ----------
        axis : int, tuple of int or None, optional
            Axes to reduce over; None means all of them.
        out : ndarray, optional
            Where to write the result, which is returned.
        where : array_like of bool, optional
            The elements that are taken; it broadcasts with the array.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        ndarray or scalar
            Of dtype bool; true of no elements. Without the axes; a scalar of NumPy if ``axis`` is
            None and the array is on the CPU.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.

        Notes
        -----
        As `numpy.ndarray.all`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> (x > 2).all(axis=1)
        array([False,  True])
        """
        if out is not None or where is not True:
            return function_with("all", self, axis, None, out, keepdims, NOTHING, where)
        return result(self, reduce(OP_all, self, axis, keepdims))

    def argmin(self, /, axis=None, out=None, *, keepdims=False):
        """Return the index of the first minimum.

        Parameters
        ----------
        axis : int or None, optional
            Axis to search along; None searches the flattened array.
        out : ndarray, optional
            Where to write the result, which is returned.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        ndarray or scalar
            Of dtype int64. Without the axes; a scalar of NumPy if ``axis`` is None and the array is
            on the CPU.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.
        ValueError
            If there is nothing to take it of.

        Notes
        -----
        As `numpy.ndarray.argmin`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.argmin(axis=1)
        array([0, 0])
        """
        if out is not None or is_complex(self.code):
            return function_with("argmin", self, axis, None, out, keepdims, NOTHING, True)
        return place(self, reduce(OP_argmin, self, axis, keepdims))

    def argmax(self, /, axis=None, out=None, *, keepdims=False):
        """Return the index of the first maximum.

        Parameters
        ----------
        axis : int or None, optional
            Axis to search along; None searches the flattened array.
        out : ndarray, optional
            Where to write the result, which is returned.
        keepdims : bool, optional
            Whether the reduced axes stay, with size 1.

        Returns
        -------
        ndarray or scalar
            Of dtype int64. Without the axes; a scalar of NumPy if ``axis`` is None and the array is
            on the CPU.

        Raises
        ------
        numpy.exceptions.AxisError
            If there is no such axis.
        ValueError
            If there is nothing to take it of.

        Notes
        -----
        As `numpy.ndarray.argmax`.

        Examples
        --------
        >>> import corepy as np
        >>> x = np.array([[1.0, 2.0], [3.0, 5.0]])
        >>> x.argmax(axis=1)
        array([1, 1])
        """
        if out is not None or is_complex(self.code):
            return function_with("argmax", self, axis, None, out, keepdims, NOTHING, True)
        return place(self, reduce(OP_argmax, self, axis, keepdims))


cdef object spread(
    str name, Operation op, Tensor self, object axis, object dtype, object out, object ddof,
    object keepdims, object where, object mean, object correction
):
    """A standard deviation or variance; `correction` is the standard's name of `ddof`."""
    correction = ddof if correction is None else correction
    if out is not None or where is not True or mean is not NOTHING \
            or lacks_elements(self, axis, correction):
        return function_at(name)(
            self, axis, dtype, out, correction, keepdims, where=where, mean=mean
        )
    if dtype is not None:
        self = astype(self, dtype, False)
    return result(self, reduce(op, self, axis, keepdims, None, correction))


def from_pickle(cls, array, device):
    """Return an array that was pickled as one of NumPy's, its class and the name of its device."""
    return as_class(<Tensor?>tensor_from_pickle(array, device), cls, None, 1)


class ArrayType(type):
    """The type of `ndarray`: NumPy's arrays are instances, too.

    What a Tensor cannot hold (text, objects, masked arrays) stays an array of NumPy's, and programs
    ask for both by one name.
    """

    __slots__ = ()

    def __instancecheck__(cls, x):
        return type.__instancecheck__(cls, x) or (cls is ndarray and isinstance(x, np.ndarray))

    def __subclasscheck__(cls, other):
        return type.__subclasscheck__(cls, other) or (
            cls is ndarray and issubclass(other, np.ndarray)
        )


cdef extern from *:
    """
    // Cython has no syntax for the type of a class.
    static void set_type_of_class(PyObject* cls, PyObject* type) {
      Py_INCREF(type);
      Py_SET_TYPE(cls, reinterpret_cast<PyTypeObject*>(type));
      PyType_Modified(reinterpret_cast<PyTypeObject*>(cls));
    }
    """
    void set_type_of_class(object, object)


set_type_of_class(ndarray, ArrayType)
(<PyTypeObject*>ndarray).tp_name = "corepy.ndarray"
enter_ndarray(ndarray)
