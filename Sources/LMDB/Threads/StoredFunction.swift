/// A function that is the state of an ``OwnedLock``, or a part of it.
///
/// A bare function must not be one. Generic code takes a function in another form than code that knows its type, so the compiler
/// wraps the function each time that ``OwnedLock/withLock(_:)`` hands it over, and wraps it again to put it back. After some ten thousand
/// calls the wrappers are deeper than the stack.
package struct StoredFunction<Function> {
  package let function: Function

  package init(_ function: Function) { self.function = function }
}

extension StoredFunction: Sendable where Function: Sendable {}
