/// An object of a JSON document: its members in their order.
struct JSONObject {
  struct Member {
    let name: String
    let value: Any
  }

  private(set) var members: [Member] = []
  /// The places of the members by their names; kept from the point on where looking through the members would cost more.
  private var places: [String: Int] = [:]

  private static let longestSearch = 16

  subscript(name: String) -> Any? { members.first { $0.name == name }?.value }

  /// Sets a member: of two of one name the last one counts.
  mutating func set(_ name: String, _ value: Any) {
    if let place = place(of: name) {
      members[place] = Member(name: name, value: value)
      return
    }
    if members.isEmpty { members.reserveCapacity(8) }
    if !places.isEmpty { places[name] = members.count }
    members.append(Member(name: name, value: value))
  }

  private mutating func place(of name: String) -> Int? {
    if members.count < Self.longestSearch { return members.firstIndex { $0.name == name } }
    if places.isEmpty {
      for (place, member) in members.enumerated() { places[member.name] = place }
    }
    return places[name]
  }
}

extension JSONObject: CustomStringConvertible {
  /// The names of the members.
  var description: String { "{" + members.map(\.name).joined(separator: ", ") + "}" }
}
