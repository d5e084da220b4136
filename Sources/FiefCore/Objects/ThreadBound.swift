/// A value that belongs to one thread at a time: an object, or a value that contains objects.
///
/// The closure of an asynchronous write runs on a different thread from the waiting task, so its result must
/// be `Sendable`, which objects are not. A closure that ends with an object, such as
/// ```swift
/// try await repository.write { transaction in try transaction.create(Dog.self, value: ["name": "Lulu"]) }
/// ```
/// uses the form of `write` for results of this protocol, which returns nothing. Instead, return the values
/// of the object that the task needs, such as its key or its name.
///
/// This is a protocol rather than a class. The compiler would infer a class as the result type of a closure
/// with several statements, which would make the call ambiguous.
public protocol ThreadBound: SendableMetatype {}

extension ObjectBase: ThreadBound {}
extension Optional: ThreadBound where Wrapped: ThreadBound {}
extension Array: ThreadBound where Element: ThreadBound {}
extension ArraySlice: ThreadBound where Element: ThreadBound {}
extension Set: ThreadBound where Element: ThreadBound {}
extension Dictionary: ThreadBound where Value: ThreadBound {}
