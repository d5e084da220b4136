import Fief

extension TreeReference {
  /// Replaces the value of the place and everything below it, in one commit.
  ///
  /// ```swift
  /// try await room.setValue(["title": "Fief", "since": .serverTimestamp])
  /// ```
  /// Only entries that differ are written; if nothing differs, there is no commit. Values above the place
  /// become objects. `.null`, an empty object and an empty array remove the node. An array is stored
  /// under the names "0", "1" and so on.
  ///
  /// - Parameter value: the value. Its names follow the rules of paths; an object with the only name `.value`
  ///   stands for that value.
  /// - Throws: `FiefError` of code `invalidTreeKey` for a name; `treeTooDeep` if a leaf has more than 32
  ///   names; `valueTooLarge` for a text of more than 10,485,760 bytes, or a write of more than 16,777,216
  ///   bytes as JSON; `invalidValue` for a number that is not finite; errors of opening and writing the
  ///   store. Nothing is then changed.
  nonisolated(nonsending) public func setValue(_ value: JSON) async throws {
    try await TreeChanges(value, at: location).checked(for: client).commit(to: tree)
  }

  /// Replaces the value of the place, and blocks until the commit is durable. See ``setValue(_:)``.
  public func setValueAndWait(_ value: JSON) throws {
    try TreeChanges(value, at: location).checked(for: client).commitAndWait(to: tree)
  }

  /// Removes the value of the place and everything below it, in one commit.
  ///
  /// If nothing is there, nothing changes. A node without children does not exist, so the nodes above may end
  /// as well. On a full disk the removal uses the reserve of the store.
  ///
  /// - Throws: `FiefError` if the store cannot be opened or written.
  nonisolated(nonsending) public func removeValue() async throws { try await setValue(.null) }

  /// Removes the value of the place, and blocks until the commit is durable. See ``removeValue()``.
  public func removeValueAndWait() throws { try setValueAndWait(.null) }

  /// Replaces the values of several places below this one, all in one commit or none.
  ///
  /// ```swift
  /// try await tree.root.updateChildValues([
  ///   message.path: body, "rooms/r1/last": body, "inbox/bo/r1": .increment(1),
  /// ])
  /// ```
  /// Places that the names do not lead to stay as they are. Without values, nothing happens.
  ///
  /// - Parameter values: values by path. ``JSON/null`` removes the node at its path.
  /// - Throws: the errors of ``setValue(_:)``; `FiefError` of code `overlappingPaths` if two paths are equal,
  ///   or one of them is above the other. Nothing is then changed.
  nonisolated(nonsending) public func updateChildValues(_ values: JSONObject) async throws {
    try await TreeChanges(values, below: location).checked(for: client).commit(to: tree)
  }

  /// Replaces the values of several places, and blocks until the commit is durable. See
  /// ``updateChildValues(_:)``.
  public func updateChildValuesAndWait(_ values: JSONObject) throws {
    try TreeChanges(values, below: location).checked(for: client).commitAndWait(to: tree)
  }
}
