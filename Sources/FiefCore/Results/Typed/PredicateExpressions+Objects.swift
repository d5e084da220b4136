// The macro prescribes the names of these functions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

extension PredicateExpressions {
  /// An object that a `#Predicate` has captured. It refers to the stored object with the same key.
  ///
  /// The object itself is not kept, so the predicate can be sent to other threads.
  public struct ObjectValue<Output>: StandardPredicateExpression {
    /// The type and the key of the object; nil for nil.
    private let value: Result<CapturedObject?, FiefError>

    fileprivate init(_ object: Object?) {
      value = Result { () throws(FiefError) in
        try object.map { object throws(FiefError) in try CapturedObject(object) }
      }
    }

    /// Not supported: the expression does not keep the object, and without a store no other object can equal
    /// it.
    ///
    /// - Throws: always, ``FiefError`` of code `invalidQuery`.
    public func evaluate(_ bindings: PredicateBindings) throws -> Output {
      throw FiefError(
        .invalidQuery,
        "A predicate with an object can only run as a query of a store.",
        details: ["type: \(Output.self)"]
      )
    }

    /// Decodes the type and the key.
    public init(from decoder: any Decoder) throws {
      value = .success(try decoder.singleValueContainer().decode(CapturedObject?.self))
    }

    /// Encodes the type and the key.
    ///
    /// - Throws: ``FiefError`` for an object whose key is invalid.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(try value.get())
    }
  }

  /// Translates an object for `#Predicate`.
  public static func build_Arg<Value: Object>(_ object: Value) -> ObjectValue<Value> { ObjectValue(object) }

  /// Translates an object that is compared with a link for `#Predicate`.
  public static func build_Arg<Value: Object>(_ object: Value?) -> ObjectValue<Value?> { ObjectValue(object) }
}

extension PredicateExpressions.ObjectValue: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    guard let object = try value.get() else { return .operand(.value(.null)) }
    return .operand(.value(.object(type: object.type, key: object.key.map { ObjectKey(bytes: $0) })))
  }
}

/// The type and the key of an object. An object without a primary key that was never saved has no key.
private struct CapturedObject: Codable {
  let type: String
  let key: [UInt8]?

  init(_ object: Object) throws(FiefError) {
    type = Swift.type(of: object).className()
    do { key = try object.keyInQueries?.bytes } catch { throw FiefError.ofQuery(error) }
  }
}
