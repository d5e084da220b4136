/// An object of a JSON document: its members in their order.
struct JSONObject {
  struct Member {
    let name: String
    let value: Any
  }

  private(set) var members: [Member] = []
  /// Kept from the point on where looking through the members would cost more.
  private var names: Set<String> = []

  private static let longestSearch = 16

  subscript(name: String) -> Any? { members.first { $0.name == name }?.value }

  /// Adds a member; false where there is one of that name.
  mutating func add(_ name: String, _ value: Any) -> Bool {
    if members.count < Self.longestSearch {
      if members.contains(where: { $0.name == name }) { return false }
    } else {
      if names.isEmpty { names = Set(members.map(\.name)) }
      guard names.insert(name).inserted else { return false }
    }
    if members.isEmpty { members.reserveCapacity(8) }
    members.append(Member(name: name, value: value))
    return true
  }
}

extension JSONObject: CustomStringConvertible {
  /// The names of the members.
  var description: String { "{" + members.map(\.name).joined(separator: ", ") + "}" }
}
