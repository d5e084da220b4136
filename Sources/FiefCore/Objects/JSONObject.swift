/// An object of a JSON document, with its members in order.
package struct JSONObject {
  package struct Member {
    package let name: String
    package let value: Any

    package init(name: String, value: Any) {
      self.name = name
      self.value = value
    }
  }

  package private(set) var members: [Member]
  /// The indexes of the members by name. Empty until a linear search would take longer.
  private var places: [ExactText: Int] = [:]

  private static let longestSearch = 16

  /// - Parameter members: members with distinct names.
  init(_ members: [Member] = []) { self.members = members }

  package subscript(name: String) -> Any? { members.last { $0.name == name }?.value }

  /// Sets a member. If a name occurs twice, the last value is used.
  mutating func set(_ name: String, _ value: Any) {
    if let place = place(of: name) {
      members[place] = Member(name: name, value: value)
      return
    }
    if members.isEmpty { members.reserveCapacity(8) }
    if !places.isEmpty { places[ExactText(name)] = members.count }
    members.append(Member(name: name, value: value))
  }

  /// Whether a member has the name.
  mutating func contains(_ name: String) -> Bool { place(of: name) != nil }

  private mutating func place(of name: String) -> Int? {
    if members.count < Self.longestSearch { return members.firstIndex { $0.name.hasSameBytes(as: name) } }
    if places.isEmpty {
      for (place, member) in members.enumerated() { places[ExactText(member.name)] = place }
    }
    return places[ExactText(name)]
  }
}

extension JSONObject: CustomStringConvertible {
  /// The names of the members.
  package var description: String { "{" + members.map(\.name).joined(separator: ", ") + "}" }
}
