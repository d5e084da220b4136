import Fief
import Foundation

@testable import FiefCore

/// Types for tests of the text form that need no store.
enum TextSchema {
  static let types: [String: [String: ColumnType]] = [
    "Person": [
      "name": ColumnType(.string), "age": ColumnType(.int64), "height": ColumnType(.double, isOptional: true),
      "money": ColumnType(.decimal), "isActive": ColumnType(.bool),
      "born": ColumnType(.date, isOptional: true),
      "id": ColumnType(.uuid), "number": ColumnType(.objectId), "photo": ColumnType(.data),
      "anything": ColumnType(.any), "best": ColumnType(.link, isOptional: true, target: "Dog"),
      "address": ColumnType(.embedded, isOptional: true, target: "Address"),
      "dogs": ColumnType(.link, container: .list, target: "Dog"),
      "numbers": ColumnType(.int64, container: .list), "tags": ColumnType(.string, container: .set),
      "scores": ColumnType(.int64, container: .map),
      "friends": ColumnType(.link, isOptional: true, container: .map, target: "Person"),
      "first name": ColumnType(.string), "in": ColumnType(.int64), "größe": ColumnType(.double),
    ],
    "Dog": [
      "name": ColumnType(.string), "age": ColumnType(.int64),
      "toys": ColumnType(.link, container: .list, target: "Toy"),
      "owners": ColumnType(.linkingObjects, target: "Person"), "marks": ColumnType(.string, container: .list),
    ],
    "Toy": ["kind": ColumnType(.string), "price": ColumnType(.decimal)],
    // The type of the examples in QueryLanguage.md.
    "Example": [
      "name": ColumnType(.string), "age": ColumnType(.int64), "width": ColumnType(.int64),
      "body": ColumnType(.string), "breed": ColumnType(.string, isOptional: true),
      "owner": ColumnType(.link, isOptional: true, target: "Person"), "born": ColumnType(.date),
      "dogs": ColumnType(.link, container: .list, target: "Dog"),
      "numbers": ColumnType(.int64, container: .list), "tags": ColumnType(.string, container: .set),
      "scores": ColumnType(.int64, container: .map), "isActive": ColumnType(.bool),
      "isSold": ColumnType(.bool), "content": ColumnType(.any),
      "location": ColumnType(.embedded, isOptional: true, target: "Point"),
    ],
    "Point": [
      "type": ColumnType(.string), "coordinates": ColumnType(.double, container: .list),
    ],
    "Address": ["city": ColumnType(.string), "lines": ColumnType(.string, container: .list)],
  ]

  static let schema = QueryTextSchema(
    storeName: "people",
    property: { name, type in
      if name == "@links.Person.best", type == "Dog" { return ColumnType(.linkingObjects, target: "Person") }
      return types[type]?[name]
    },
    names: { types[$0]?.keys.sorted() ?? [] },
    key: { type, text in
      guard types[type] != nil else { throw FiefError(.unknownType, "There is no such type.", type: type) }
      // A key has a length that a store allows.
      guard ObjectKey.lengths.contains(text.utf8.count) else {
        throw FiefError(.invalidValue, "The text is no key.", type: type)
      }
      return ObjectKey(storedBytes: Array(text.utf8))
    },
    isKnown: true
  )

  static func description(_ text: String, _ arguments: Any...) throws -> QueryDescription {
    try QueryTextForm.parse(
      text,
      arguments: try arguments.map { try QueryArgument($0) },
      type: "Person",
      schema: schema
    )
  }

  static func condition(_ text: String, _ arguments: [Any] = []) throws -> QueryCondition? {
    try QueryTextForm.parse(
      text,
      arguments: try arguments.map { try QueryArgument($0) },
      type: "Person",
      schema: schema
    ).condition
  }
}

extension QueryOperand {
  static func name(_ names: String..., scope: Int = 0) -> QueryOperand {
    .path(QueryPath(scope: scope, steps: names.map { .property($0) }))
  }

  static func int(_ value: Int64) -> QueryOperand { .value(.integer(value)) }
  static func text(_ value: String) -> QueryOperand { .value(.string(value)) }
}
