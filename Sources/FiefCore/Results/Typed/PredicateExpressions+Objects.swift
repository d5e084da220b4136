// The macro gives these functions their names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

extension PredicateExpressions {
  /// An object that a `#Predicate` has captured, which means the one with its key.
  ///
  /// The object itself is not kept, so that the predicate can be sent to other threads.
  public struct ObjectValue<Output>: StandardPredicateExpression {
    /// The object in a query: its type and its key, or nil.
    private let value: Result<CapturedObject?, FiefError>

    fileprivate init(_ object: Object?) {
      value = Result { () throws(FiefError) in
        try object.map { object throws(FiefError) in try CapturedObject(object) }
      }
    }

    /// Not possible: the object is not kept, and another one cannot be equal to it outside of a store.
    ///
    /// - Throws: always, ``FiefError`` of code `invalidQuery`.
    public func evaluate(_ bindings: PredicateBindings) throws -> Output {
      throw FiefError(
        .invalidQuery,
        "A predicate with an object is a question for a store and cannot be evaluated by itself.",
        details: ["type: \(Output.self)"]
      )
    }

    /// Reads the type and the key.
    public init(from decoder: any Decoder) throws {
      value = .success(try decoder.singleValueContainer().decode(CapturedObject?.self))
    }

    /// Writes the type and the key.
    ///
    /// - Throws: ``FiefError`` for an object whose key cannot be one.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(try value.get())
    }
  }

  /// The translation of an object by `#Predicate`.
  public static func build_Arg<Value: Object>(_ object: Value) -> ObjectValue<Value> { ObjectValue(object) }

  /// The translation by `#Predicate` of an object that is compared with a link.
  public static func build_Arg<Value: Object>(_ object: Value?) -> ObjectValue<Value?> { ObjectValue(object) }
}

extension PredicateExpressions.ObjectValue: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    guard let object = try value.get() else { return .operand(.value(.null)) }
    return .operand(.value(.object(type: object.type, key: object.key.map { ObjectKey(bytes: $0) })))
  }
}

/// The type and the key of an object; no key where it was never saved and has no primary key.
private struct CapturedObject: Codable {
  let type: String
  let key: [UInt8]?

  init(_ object: Object) throws(FiefError) {
    type = Swift.type(of: object).className()
    do { key = try object.keyInQueries?.bytes } catch { throw FiefError.ofQuery(error) }
  }
}
