import Fief
import FiefRules

/// The identity of a client, as the rules see it.
public struct RuleAuth: Sendable, Hashable {
  /// The identifier of the user.
  public var uid: String
  /// The way in which the user signed in, such as "password".
  public var provider: String?
  /// The claims about the user. A rule sees an array as an object with the names "0", "1" and so on.
  public var token: JSON

  /// Creates an identity.
  ///
  /// - Parameters:
  ///   - uid: the identifier of the user. Rules compare it by its bytes.
  ///   - provider: the way in which the user signed in.
  ///   - token: the claims as a JSON object. The program must have verified them.
  public init(uid: String, provider: String? = nil, token: JSON = nil) {
    self.uid = uid
    self.provider = provider
    self.token = token
  }

  /// Returns whether two identities are the same, by their bytes.
  public static func == (first: RuleAuth, second: RuleAuth) -> Bool {
    first.uid.hasSameBytes(as: second.uid) && first.provider.hasSameBytes(as: second.provider)
      && first.token == second.token
  }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(ExactText(uid)) }

  var identity: RuleIdentity { RuleIdentity(uid: uid, provider: provider, token: RuleValue(token)) }
}

extension RuleValue {
  /// Creates the value of a claim or a leaf. The elements of arrays have their indexes as names.
  init(_ json: JSON) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = value.isFinite ? .double(value) : .null
    case .string(let value): self = .string(value)
    case .array(let elements):
      self = .object(
        Dictionary(
          elements.enumerated().map { (ExactText(String($0.offset)), RuleValue($0.element)) },
          uniquingKeysWith: { $1 }
        )
      )
    case .object(let object):
      self = .object(
        Dictionary(
          object.members.map { (ExactText($0.name), RuleValue($0.value)) },
          uniquingKeysWith: { $1 }
        )
      )
    }
  }

  /// The value as JSON; an empty object for a place with children.
  var json: JSON {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .int(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .object(let members): .object(JSONObject(members.map { ($0.key.text, $0.value.json) }))
    case .node: .object(JSONObject())
    }
  }
}
