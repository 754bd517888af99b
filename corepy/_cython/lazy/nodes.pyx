# distutils: language = c++
"""Nodes: deferred operations, with their operands and the layout of their results.

A node keeps the layout and storage of its operands, not the tensors, which are not tracked by the
garbage collector and may be computed or written to. A deferred tensor and its views have a node as
storage. A node that no tensor refers to is an inner value of its readers, and is never stored.
"""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.string cimport memcpy
from libcpp.unordered_map cimport unordered_map
from libcpp.utility cimport pair
from libcpp.vector cimport vector

import os

from corepy._cython.core cimport (
    allocate, Block, broadcast_steps, Device, dtype_itemsize, in_host_memory, is_deferred,
    is_private, kernel, Operand, Tensor, UNCOMPUTED,
)

cdef extern from "Python.h":
    Py_ssize_t reference_count "Py_REFCNT"(object)
    Py_ssize_t references_to "Py_REFCNT"(PyObject*)
    void free_lock "PyThread_free_lock"(void*)

cdef extern from *:
    """
    #include <vector>

    // References that the thread is to release: chains of nodes in a loop, not by recursion, and
    // those of a computation at its end, as memory may belong to an object with a finalizer.
    struct Releases {
      std::vector<PyObject*> owners;
      bool held = false;
    };

    static Releases& releases_of_thread() {
      thread_local Releases releases;
      return releases;
    }
    """
    cdef struct Releases:
        vector[PyObject*] owners
        bint held
    Releases& releases_of_thread() noexcept

# The pending nodes, in the order of recording.
cdef PyObject* first_pending = NULL
cdef PyObject* last_pending = NULL
cdef Py_ssize_t count_of_pending = 0
cdef unsigned long long last_number = 0

# Bytes of the blocks that pending nodes read.
cdef Py_ssize_t bytes_read = 0


cdef inline int add_readers(Block block, Py_ssize_t more) noexcept:
    """Count pending nodes that read a block."""
    global bytes_read
    if not block.readers and more:
        bytes_read += <Py_ssize_t>block.capacity
    block.readers += more
    if not block.readers and more:
        bytes_read -= <Py_ssize_t>block.capacity
    return 0


cdef Py_ssize_t bytes_to_read() noexcept:
    return bytes_read


cdef Py_ssize_t bytes_kept() except -1:
    """Bytes of blocks that only nodes refer to."""
    cdef unordered_map[Pointer, Py_ssize_t] references  # of nodes to blocks
    cdef pair[Pointer, Py_ssize_t] found
    cdef PyObject* node = first_pending
    cdef PyObject* owner
    cdef Py_ssize_t kept = 0
    cdef int k
    while node != NULL:
        for k in range((<Node>node).inputs):
            owner = (<Node>node).sources[k].owner
            if owner == NULL:
                continue
            if type(<object>owner) is Block:
                references[owner] = references[owner] + 1
            elif (<Node>owner).block is not None and not is_held(<Node>owner, 0) \
                    and references_to(<PyObject*>(<Node>owner).block) == 1:
                references[<PyObject*>(<Node>owner).block] = 1
        node = (<Node>node).next
    for found in references:
        if references_to(found.first) == found.second:
            kept += <Py_ssize_t>(<Block>found.first).capacity
    return kept


cdef int release_sources(Node node) except -1:
    """Release the operands of a node."""
    cdef Releases* releases = &releases_of_thread()
    cdef PyObject* owner
    cdef int k
    for k in range(node.inputs):
        owner = node.sources[k].owner
        if owner == NULL:
            continue
        node.sources[k].owner = NULL
        if type(<object>owner) is Node:
            (<Node>owner).uses -= 1
            if (<Node>owner).block is not None:
                add_readers((<Node>owner).block, -1)
        else:
            add_readers(<Block>owner, -1)
        releases.owners.push_back(owner)
    if not releases.held:
        hold_releases(False)
    return 0


cdef bint hold_releases(bint hold) noexcept:
    """Have references of the thread kept from now on or released now; returns what it was."""
    cdef Releases* releases = &releases_of_thread()
    cdef bint before = releases.held
    cdef PyObject* owner
    releases.held = True
    if not hold:
        while releases.owners.size():
            owner = releases.owners.back()
            releases.owners.pop_back()
            Py_DECREF(<object>owner)
        releases.held = False
    return before


cdef bint is_pending(Node node) noexcept:
    """Whether a node is in the list of pending nodes."""
    return node.next != NULL or node.previous != NULL or first_pending == <PyObject*>node


cdef int unlink(Node node) noexcept:
    """Remove a node from the list of pending nodes."""
    global first_pending, last_pending, count_of_pending
    if not is_pending(node):
        return 0
    if node.previous != NULL:
        (<Node>node.previous).next = node.next
    else:
        first_pending = node.next
    if node.next != NULL:
        (<Node>node.next).previous = node.previous
    else:
        last_pending = node.previous
    node.next = node.previous = NULL
    count_of_pending -= 1
    return 0


@cython.final
@cython.no_gc
cdef class Computation:
    """What a thread computes: other threads wait until its lock is released."""

    def __dealloc__(self):
        if self.lock != NULL:
            free_lock(self.lock)


@cython.final
@cython.no_gc
@cython.freelist(512)
cdef class Node:
    """A deferred operation."""

    def __dealloc__(self):
        unlink(self)
        release_sources(self)


cdef Node new_node(int operation, kernel loop, long scope, Device device):
    """A pending node without operands."""
    global first_pending, last_pending, count_of_pending, last_number
    cdef Node node = Node.__new__(Node)
    node.operation, node.loop, node.scope, node.device = operation, loop, scope, device
    node.place = -1
    last_number += 1
    node.number = last_number
    node.previous = last_pending
    if last_pending != NULL:
        (<Node>last_pending).next = <PyObject*>node
    else:
        first_pending = <PyObject*>node
    last_pending = <PyObject*>node
    count_of_pending += 1
    return node


cdef int add_pending(Nodes& found) except -1:
    """Add all pending nodes, in the order of recording."""
    cdef PyObject* node = first_pending
    found.reserve(count_of_pending)
    while node != NULL:
        found.push_back(node)
        node = (<Node>node).next
    return 0


cdef Py_ssize_t number_pending() noexcept:
    return count_of_pending


cdef bint is_held(Node node, Py_ssize_t known) noexcept:
    """Whether a tensor refers to a node; `known`: references of neither tensors nor nodes."""
    return reference_count(node) > node.uses + known


cdef bint is_readable(Tensor x) noexcept:
    """Whether elements of `x` can be read later: only Corepy's operations change them."""
    if is_deferred(x):
        return True
    if type(x.storage) is Block:
        return is_private(<Block>x.storage)
    return in_host_memory(x)


cdef int add_source(
    Node node, Tensor x, const Operand* operand, Py_ssize_t ndim, const Py_ssize_t* shape
) except -1:
    """Add an operand, which is broadcast to a shape; `x` is None for a constant."""
    cdef Source* source = &node.sources[node.inputs]
    cdef Block block
    cdef Node read
    cdef Tensor base
    cdef object owner
    source.owner = NULL
    source.code = <int8_t>operand.code
    broadcast_steps(operand, ndim, shape, source.steps)
    if x is None or (in_host_memory(x) and x.count == 1):
        memcpy(source.scalar, operand.data, dtype_itemsize[operand.code])
        node.inputs += 1
        return 0
    source.data = x.data
    if is_deferred(x):
        owner = read = <Node>x.storage
        source.data -= UNCOMPUTED
        read.uses += 1
        if read.block is not None:
            add_readers(read.block, 1)
    elif type(x.storage) is Block:
        owner = block = <Block>x.storage
        add_readers(block, 1)
    else:
        # Elements that are stored in a tensor are copied.
        base = x if x.storage is None else <Tensor>x.storage
        owner = block = allocate(sizeof(base.small))
        memcpy(block.memory, base.small, sizeof(base.small))
        source.data = <char*>block.memory + (x.data - base.small)
        add_readers(block, 1)
    Py_INCREF(owner)
    source.owner = <PyObject*>owner
    node.inputs += 1
    return 0


cdef int finish(Node node, Block block) except -1:
    """Set the result of a node (None: not stored), which is no longer pending."""
    if block is not None:
        node.block = block
        add_readers(block, node.uses)
    unlink(node)
    return release_sources(node)


# ---- the limit of what is pending

# Limits of the number of pending nodes, and of the bytes that only they keep in memory: an eighth
# of the memory of the machine or GPU. Beyond them all are computed.
cdef enum:
    MAX_PENDING = 4096
cdef Py_ssize_t MAX_BYTES_KEPT = <Py_ssize_t>1 << 30
if hasattr(os, "sysconf"):
    MAX_BYTES_KEPT = max(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 8, 1 << 28)
# Threshold of bytes_to_read() from which on bytes_kept() is called, which takes longer.
cdef Py_ssize_t counted_from = MAX_BYTES_KEPT


def limit_kept(Py_ssize_t nbytes):
    """Limit the bytes that only pending nodes keep in memory to an eighth of `nbytes`."""
    global MAX_BYTES_KEPT, counted_from
    MAX_BYTES_KEPT = min(MAX_BYTES_KEPT, nbytes // 8)
    counted_from = min(counted_from, MAX_BYTES_KEPT)


cdef bint is_too_much() except -1:
    """Whether all pending nodes should be computed now."""
    global counted_from
    cdef Py_ssize_t kept
    if number_pending() >= MAX_PENDING:
        return True
    if bytes_to_read() < counted_from:
        counted_from = max(MAX_BYTES_KEPT, min(counted_from, 2 * bytes_to_read()))
        return False
    kept = bytes_kept()
    counted_from = bytes_to_read() + max(MAX_BYTES_KEPT - kept, MAX_BYTES_KEPT // 4)
    return kept > MAX_BYTES_KEPT
