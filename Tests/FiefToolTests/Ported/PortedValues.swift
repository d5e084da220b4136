import FiefRealm
import Foundation
import Testing

/// Compares the properties of one object with what a person read from the export.
struct PortedValues<Model: Object> {
  let model: Model

  init(_ model: Model?) throws { self.model = try #require(model) }

  func has<Value: Equatable>(
    _ path: KeyPath<Model, Value>,
    _ expected: Value,
    at place: SourceLocation = #_sourceLocation
  ) {
    expect(model[keyPath: path], expected, place)
  }

  func has<Value: Equatable>(
    _ path: KeyPath<Model, List<Value>>,
    _ expected: [Value],
    at place: SourceLocation = #_sourceLocation
  ) {
    let found = Array(model[keyPath: path])
    expect(found.map(Exact.init), expected.map(Exact.init), place)
  }

  func has<Value: Hashable>(
    _ path: KeyPath<Model, MutableSet<Value>>,
    _ expected: Set<Value>,
    at place: SourceLocation = #_sourceLocation
  ) {
    expect(model[keyPath: path].count, expected.count, place)
    expect(Set(model[keyPath: path]), expected, place)
  }

  func has<Value: Equatable>(
    _ path: KeyPath<Model, Map<String, Value>>,
    _ expected: [String: Value],
    at place: SourceLocation = #_sourceLocation
  ) {
    expect(
      model[keyPath: path].dictionary.mapValues(Exact.init),
      expected.mapValues(Exact.init),
      place
    )
  }

  private func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ place: SourceLocation) {
    #expect(Exact(found) == Exact(expected), sourceLocation: place)
  }
}

/// A value that equals itself, also if it is no number.
private struct Exact<Value: Equatable>: Equatable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (first: Self, second: Self) -> Bool {
    first.value == second.value || first.value != first.value && second.value != second.value
  }
}
