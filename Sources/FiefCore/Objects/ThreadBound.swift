/// A value that belongs to one thread at a time: an object, or a value with objects in it.
///
/// A closure of an asynchronous write runs on another thread than the task that waits for it, so that its result has
/// to be `Sendable`, which objects are not. A closure that ends in an object, as in
/// ```swift
/// try await repository.write { transaction in try transaction.create(Dog.self, value: ["name": "Lulu"]) }
/// ```
/// uses the form of `write` for results of this protocol, which returns nothing. The closure returns the
/// values that the task needs of the object: its key, its name.
///
/// A protocol and no class: the compiler takes a class for the type of a result that it does not know yet, so that
/// closures of several statements were ambiguous.
public protocol ThreadBound: SendableMetatype {}

extension ObjectBase: ThreadBound {}
extension Optional: ThreadBound where Wrapped: ThreadBound {}
extension Array: ThreadBound where Element: ThreadBound {}
extension ArraySlice: ThreadBound where Element: ThreadBound {}
extension Set: ThreadBound where Element: ThreadBound {}
extension Dictionary: ThreadBound where Value: ThreadBound {}
