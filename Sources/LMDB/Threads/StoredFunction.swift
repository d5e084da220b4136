/// A box for a function in the state of an ``OwnedLock``.
///
/// A lock must not have a bare function as its state. Generic code represents a function in another way than code that knows its type.
/// So the compiler wraps the function when ``OwnedLock/withLock(_:)`` passes it to the closure, and wraps it again when the closure returns.
/// After some ten thousand calls, a call of the function overflows the stack.
package struct StoredFunction<Function> {
  package let function: Function

  package init(_ function: Function) { self.function = function }
}

extension StoredFunction: Sendable where Function: Sendable {}
