# dtype codes, promotion, and Python scalars as elements.

cdef int i
cdef list DTYPE_NAMES = [dtype_names[i].decode() for i in range(DTYPE_COUNT)]

# The NumPy dtype of each code. That of bfloat16 is ml_dtypes', and None until `load_bfloat16`.
cdef list DTYPES = [
    None if i == <int>DTYPE_bfloat16 else np.dtype(DTYPE_NAMES[i])
    for i in range(DTYPE_COUNT)
]
KINDS = tuple(["f" if dtype is None else dtype.kind for dtype in DTYPES])
cdef str SUPPORTED_DTYPES = ", ".join(DTYPE_NAMES)

# Dtypes, and the scalar types and names that were used for them -> the code.
cdef dict CODES = {}

cdef PyObject* DTYPE_OBJECTS[DTYPE_COUNT]  # code -> NumPy's object, owned by DTYPES
cdef int8_t CODE_OF_TYPE_NUM[64]           # NumPy's type number, some are synonyms -> code
cdef int8_t PROMOTED[DTYPE_COUNT][DTYPE_COUNT]
cdef dict SCALAR_CODES = {}                # NumPy's types of scalars -> the code
cdef unsigned int HALVES = 1 << <int>DTYPE_float16 | 1 << <int>DTYPE_bfloat16


cdef int add_dtype(int code, object dtype) except -1:
    DTYPES[code] = dtype
    DTYPE_OBJECTS[code] = <PyObject*>dtype
    CODES[dtype] = code
    SCALAR_CODES[dtype.type] = code
    return 0


cdef int _fill_tables() except -1:
    cdef int i, j
    for i in range(DTYPE_COUNT):
        DTYPE_OBJECTS[i] = NULL
        if DTYPES[i] is not None:
            add_dtype(i, DTYPES[i])
        for j in range(DTYPE_COUNT):
            PROMOTED[i][j] = promoted_dtype(<Dtype>i, <Dtype>j)
    for i in range(64):
        CODE_OF_TYPE_NUM[i] = -1
    for character in np.typecodes["All"]:
        dtype = np.dtype(character)
        if dtype in CODES and dtype.num < 64:
            CODE_OF_TYPE_NUM[dtype.num] = CODES[dtype]
            SCALAR_CODES[dtype.type] = CODES[dtype]
    return 0


_fill_tables()


def load_bfloat16():
    """Return the dtype bfloat16, of the package ml_dtypes; ImportError if it is not installed."""
    if DTYPES[<int>DTYPE_bfloat16] is None:
        try:
            from ml_dtypes import bfloat16
        except ImportError as error:
            raise ImportError(f"bfloat16 needs the package ml_dtypes: {error}") from None
        add_dtype(DTYPE_bfloat16, np.dtype(bfloat16))
    return DTYPES[<int>DTYPE_bfloat16]


cdef int promoted_all(unsigned int codes) noexcept:
    """Code of the promoted dtype of a set of dtypes, with a bit for the code of each.

    The operand of highest kind is promoted with the others in turn, as in NumPy, so the result does
    not depend on their order. From left to right int8, uint16 and float32 would promote to float64,
    because of the intermediate int32, instead of float32.
    """
    cdef int code, result = lowest_bit(codes)
    if codes & (codes - 1) == 0:
        return result
    for code in range(DTYPE_COUNT):
        if codes >> code & 1 and (dtype_kind[code], dtype_itemsize[code]) \
                > (dtype_kind[result], dtype_itemsize[result]):
            result = code
    for code in range(DTYPE_COUNT):
        if codes >> code & 1:
            result = PROMOTED[result][code]
    return result


cdef int result_code(int rule, int code) noexcept:
    """Code of the dtype that a rule of the schema, a Result, makes of a dtype."""
    return result_dtype(<Result>rule, <Dtype>code)


cpdef str kind_of(object x):
    """Return NumPy's character for the kind of elements of an array, or of a dtype. It is "f" for
    bfloat16, whose own is "V", as of types that NumPy does not know.
    """
    dtype = x if isinstance(x, np.dtype) else x.dtype
    code = CODES.get(dtype)
    return dtype.kind if code is None else KINDS[code]


cdef int kind_rank(int code) noexcept nogil:
    """Order of the kinds in same-kind casts: bool, unsigned, signed, real, complex."""
    if dtype_kind[code] == KIND_signed or dtype_kind[code] == KIND_unsigned:
        return 1 + (dtype_kind[code] == KIND_signed)
    return dtype_kind[code]


cdef int find_code(object dtype) except -2:
    """Code of an object that NumPy takes for a dtype, or -1 if Corepy has no such dtype: none has
    another byte order than the machine's.
    """
    cdef int code
    for code in range(DTYPE_COUNT):  # usually it is one of NumPy's objects
        if <PyObject*>dtype == DTYPE_OBJECTS[code]:
            return code
    try:
        return CODES[dtype]
    except (KeyError, TypeError):
        pass
    if dtype is None:
        return -1
    if DTYPE_OBJECTS[<int>DTYPE_bfloat16] == NULL \
            and ("ml_dtypes" in sys.modules or type(dtype) is str and dtype == "bfloat16"):
        load_bfloat16()
    try:
        found = np.dtype(dtype)
    except (TypeError, ValueError, SyntaxError):  # the last from NumPy's dtype strings
        return -1
    code = CODES.get(found, -1) if found.isnative else -1
    if code >= 0 and isinstance(dtype, (str, type)):
        CODES[dtype] = code
    return code


cdef int dtype_code(str function, object dtype) except -1:
    cdef int code = find_code(dtype)
    if code < 0:
        raise TypeError(
            f"{function}: dtype {dtype!r} is not supported; allowed: {SUPPORTED_DTYPES}"
        )
    return code


cpdef object as_dtype(str function, object dtype):
    """Return the supported NumPy dtype that `dtype` names, else raise TypeError for `function`."""
    return DTYPES[dtype_code(function, dtype)]


# ---- Python scalars ----

cdef inline bint is_scalar(object value) noexcept:
    """Whether `value` is a Python scalar, whose dtype follows that of the other operand."""
    return (
        PyFloat_Check(value) or PyLong_Check(value) or PyComplex_Check(value)
    )


cdef int scalar_code(object value, int other) noexcept:
    """Code of a scalar in an operation with an array of code `other` (NumPy 2's rule).

    NumPy's scalars that are floats or complex numbers, too, keep their precision.
    """
    if PyFloat_Check(value):
        if not PyFloat_CheckExact(value) and isinstance(value, np.generic):
            return PROMOTED[floating_code(other)][<int>DTYPE_float64]
        return floating_code(other)
    if PyBool_Check(value):
        return other
    if PyLong_Check(value):
        return DTYPE_int64 if other == DTYPE_bool else other
    if isinstance(value, np.generic):
        return DTYPE_complex128
    return PROMOTED[floating_code(other)][<int>DTYPE_complex64]


cdef int default_code(object value) noexcept:
    """Code of a Python scalar without another operand: the default dtype of its kind."""
    if PyBool_Check(value):
        return DTYPE_bool
    if PyFloat_Check(value):
        return DTYPE_float64
    return DTYPE_int64 if PyLong_Check(value) else DTYPE_complex128


cdef int store_integer(char* out, int code, object value, str function=None) except -1:
    cdef int overflow = 0
    cdef long long number = PyLong_AsLongLongAndOverflow(value, &overflow)
    cdef int bits = 8 * dtype_itemsize[code]
    if is_unsigned(code):
        if bits == 64 and overflow > 0 and value <= 0xFFFFFFFFFFFFFFFF:
            number = <long long>PyLong_AsUnsignedLongLong(value)
            overflow = 0
        else:
            overflow |= number < 0 or (bits < 64 and number >> bits != 0)
    elif bits < 64:
        overflow |= number >> (bits - 1) != number >> 63
    if overflow:
        raise OverflowError(
            f"{'' if function is None else function + ': '}Python integer {shown(value)} "
            f"is out of range for {DTYPES[code]}"
        )
    # Two's complement, lowest byte first: the bytes of every narrower integer.
    memcpy(out, &number, dtype_itemsize[code])
    return 0


cdef int store_scalar(char* out, int code, object value) except -1:
    """Write a Python scalar as one element of dtype `code`, whose kind can represent it."""
    cdef double real
    cdef double imag = 0.0
    if is_integer(code):
        return store_integer(out, code, value)
    if not is_inexact(code):
        out[0] = 1 if value else 0
        return 0
    if is_complex(code) and PyComplex_Check(value):
        real = PyComplex_RealAsDouble(value)
        imag = PyComplex_ImagAsDouble(value)
    else:
        real = PyFloat_AS_DOUBLE(value) if PyFloat_Check(value) else PyLong_AsDouble(value)
    store_real(out, code, real)
    if is_complex(code):
        store_real(out + dtype_itemsize[code] // 2, code, imag)
    return 0


cdef inline bint store_plain_scalar(char* out, int code, object value) noexcept:
    """Write a float, or a small int, as an element of the most frequent dtypes; false for other
    scalars and dtypes, though the dtype may be able to represent the scalar.
    """
    cdef Py_ssize_t whole
    if PyFloat_Check(value):
        # NumPy's float64 scalars are floats, too, and keep their precision.
        return (code == DTYPE_float64 or PyFloat_CheckExact(value)) \
            and store_float(out, code, PyFloat_AS_DOUBLE(value))
    if not small_integer(value, &whole):
        return False
    if dtype_kind[code] == KIND_signed and dtype_itemsize[code] == sizeof(whole):
        (<Py_ssize_t*>out)[0] = whole
        return True
    return store_whole(out, code, whole)


cdef int store_named(str function, char* out, int code, object value) except -1:
    """`store_scalar` for an argument; errors begin with `function`."""
    if is_integer(code):
        return store_integer(out, code, value, function)
    if PyFloat_Check(value):
        return store_scalar(out, code, value)
    try:
        return store_scalar(out, code, value)
    except OverflowError as error:
        raise OverflowError(f"{function}: {error}") from None


cdef object shown(object value):
    """An integer for a message: Python refuses to convert thousands of digits."""
    return value if abs(value) < 1 << 256 else f"of {value.bit_length()} bits"


cdef object load_scalar(const char* data, int code):
    """Return one element as the Python scalar of its kind."""
    if is_floating(code):
        return load_real(data, code)
    if is_complex(code):
        return complex(load_real(data, code), load_real(data + dtype_itemsize[code] // 2, code))
    if not is_integer(code):
        return data[0] != 0
    if is_unsigned(code):
        return <unsigned long long>load_whole(data, code)
    return load_whole(data, code)
