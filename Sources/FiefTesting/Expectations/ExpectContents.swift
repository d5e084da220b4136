public import Fief
import Testing

/// Expects a store to contain exactly the given objects of a type, in any order.
///
/// Objects are equal if their type and all stored properties are equal. Linked objects are compared by type
/// and primary key only. Every difference is reported with its property.
///
/// - Parameters:
///   - repository: the repository of the store.
///   - type: the type of the objects.
///   - expected: the expected objects, which need not be saved.
///   - fileID: the module and file in which a difference is reported.
///   - filePath: the path of that file.
///   - line: the line in the file.
///   - column: the column in the line.
/// - Throws: `FiefError` if the store cannot be read.
public func expectContents<Element: Object>(
  of repository: some DatabaseConfigurable,
  _ type: Element.Type,
  equal expected: [Element],
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column
) throws {
  let actual = try repository.allObjects(type).map { $0.comparableText() }
  let differences = ContentsComparison.differences(
    actual: actual,
    expected: expected.map { $0.comparableText() }
  )
  guard !differences.isEmpty else { return }
  let heading =
    "The store '\(repository.storeName)' does not contain the expected objects of \(type.className()):"
  TestFailure.record(
    ([heading] + differences).joined(separator: "\n"),
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  )
}

/// Expects the objects of a type to have the given values of a property, in any order.
///
/// ```swift
/// try expectContents(of: pets, Dog.self, \.name, equal: ["Lulu", "Rex"])
/// ```
/// - Parameters:
///   - repository: the repository of the store.
///   - type: the type of the objects.
///   - property: returns the compared value of each object.
///   - expected: the expected values. A value that several objects have occurs as many times.
///   - fileID: the module and file in which a difference is reported.
///   - filePath: the path of that file.
///   - line: the line in the file.
///   - column: the column in the line.
/// - Throws: `FiefError` if the store cannot be read.
public func expectContents<Element: Object, Value: Hashable>(
  of repository: some DatabaseConfigurable,
  _ type: Element.Type,
  _ property: (Element) -> Value,
  equal expected: [Value],
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column
) throws {
  var surplus: [ExactKey<Value>: Int] = [:]
  for object in try repository.allObjects(type) { surplus[ExactKey(property(object)), default: 0] += 1 }
  for value in expected { surplus[ExactKey(value), default: 0] -= 1 }
  let differences = surplus.filter { $0.value != 0 }.map { key, count in
    count > 0 ? "  unexpected: \(key.value) (\(count) times)" : "  missing: \(key.value) (\(-count) times)"
  }
  guard !differences.isEmpty else { return }
  let heading =
    "The store '\(repository.storeName)' does not contain the expected values of \(type.className()):"
  TestFailure.record(
    ([heading] + differences.sorted()).joined(separator: "\n"),
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  )
}

/// Expects a number of objects of a type.
///
/// - Parameters:
///   - repository: the repository of the store.
///   - type: the type of the objects.
///   - expected: the expected number.
///   - fileID: the module and file in which a different number is reported.
///   - filePath: the path of that file.
///   - line: the line in the file.
///   - column: the column in the line.
/// - Throws: `FiefError` if the store cannot be read.
public func expectCount<Element: Object>(
  of repository: some DatabaseConfigurable,
  _ type: Element.Type,
  _ expected: Int,
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: Int = #line,
  column: Int = #column
) throws {
  let count = try repository.count(type)
  guard count != expected else { return }
  TestFailure.record(
    "The store '\(repository.storeName)' contains \(count) objects of \(type.className()), expected \(expected).",
    at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  )
}

extension DatabaseConfigurable {
  fileprivate func allObjects<Element: Object>(_ type: Element.Type) throws -> [Element] {
    try store().objects(type).all()
  }
}
