import Fief

/// The members of a JSON object, in the order of a ``JSONTree``.
///
/// First come the names that are integers of 32 bits, by their value, and then all other names by their UTF-8
/// bytes. Two names are the same only if their bytes are.
///
/// ```swift
/// let members: JSONObject = ["10": true, "9": false]
/// print(members.map(\.name))  // ["9", "10"]
/// ```
public struct JSONObject: Sendable {
  struct Member: Sendable {
    let name: String
    var value: JSON
  }

  /// The members, in order and with different names.
  private(set) var members: [Member]

  /// Creates an object without members.
  public init() { members = [] }

  /// Creates an object from names and values. If two names have the same bytes, the last value is kept.
  public init(_ pairs: some Sequence<(String, JSON)>) {
    var members = pairs.map { Member(name: $0.0, value: $0.1) }
    let isInOrder = zip(members, members.dropFirst()).allSatisfy { TreeName.precedes($0.name, $1.name) }
    if !isInOrder {
      // The sort is stable, so the last of several equal names stays last.
      members.sort { TreeName.precedes($0.name, $1.name) }
      var kept: [Member] = []
      kept.reserveCapacity(members.count)
      for member in members {
        if let last = kept.last, last.name.hasSameBytes(as: member.name) {
          kept[kept.count - 1].value = member.value
        } else {
          kept.append(member)
        }
      }
      members = kept
    }
    self.members = members
  }

  /// - Parameter members: members in order and with different names.
  init(inOrder members: [Member]) { self.members = members }

  /// Accesses the value of a name. Reading returns ``JSON/null`` if there is no such member. Assigning
  /// ``JSON/null`` keeps a member with this value; ``removeValue(forName:)`` removes it.
  ///
  /// A new name takes constant time if it is the last one, as when the names of a tree are added in their
  /// order; otherwise all later members move. Create a large object in another order from its pairs.
  public subscript(name: String) -> JSON {
    get {
      let (index, isFound) = place(of: name)
      return isFound ? members[index].value : .null
    }
    // Changes the value in place: a copy of a large object for each change of it would be slow.
    _modify {
      let (index, isFound) = place(of: name)
      if !isFound { members.insert(Member(name: name, value: .null), at: index) }
      yield &members[index].value
    }
  }

  /// Returns whether there is a member with a name.
  public func contains(name: String) -> Bool { place(of: name).isFound }

  /// Removes the member with a name.
  ///
  /// - Returns: the value of the member; `nil` if there was none.
  @discardableResult
  public mutating func removeValue(forName name: String) -> JSON? {
    let (index, isFound) = place(of: name)
    return isFound ? members.remove(at: index).value : nil
  }

  /// Returns the index of a name, or the index at which it would be inserted.
  private func place(of name: String) -> (index: Int, isFound: Bool) {
    guard let last = members.last else { return (0, false) }
    if TreeName.precedes(last.name, name) { return (members.count, false) }
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if TreeName.precedes(members[middle].name, name) { low = middle + 1 } else { high = middle }
    }
    return (low, low < members.count && members[low].name.hasSameBytes(as: name))
  }
}

extension JSONObject: RandomAccessCollection {
  /// The index of the first member.
  public var startIndex: Int { 0 }
  /// The index after the last member.
  public var endIndex: Int { members.count }

  /// Returns the name and the value of a member.
  ///
  /// - Parameter position: a valid index.
  public subscript(position: Int) -> (name: String, value: JSON) {
    (members[position].name, members[position].value)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object. If two names have the same bytes, the last value is kept.
  public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}

extension JSONObject: Hashable {
  /// Returns whether two objects have the same members.
  public static func == (first: JSONObject, second: JSONObject) -> Bool {
    first.members.count == second.members.count
      && zip(first.members, second.members).allSatisfy {
        $0.name.hasSameBytes(as: $1.name) && $0.value == $1.value
      }
  }

  /// Hashes the members in agreement with the comparison.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(members.count)
    for member in members {
      hasher.combine(ExactText(member.name))
      hasher.combine(member.value)
    }
  }
}
