/// A box for a function in the state of an ``OwnedLock``.
///
/// A lock must not have a bare function as its state. Generic code represents a function differently than
/// code that knows its type. Therefore the compiler wraps the function when ``OwnedLock/withLock(_:)`` passes
/// it to the closure, and wraps it again when the closure returns. After some ten thousand calls, a call of
/// the function overflows the stack.
///
/// The box is inlined in the modules that use it. Otherwise the runtime would have to create metadata for the
/// type of each function.
@frozen
@usableFromInline
package struct StoredFunction<Function> {
  @usableFromInline package let function: Function

  @inlinable
  package init(_ function: Function) { self.function = function }
}

extension StoredFunction: Sendable where Function: Sendable {}
