import Fief

/// A tree in a write or a migration, which changes it together with objects of the store.
///
/// You get an editor from ``JSONTree/in(_:)-(WriteTransaction)`` or ``JSONTree/in(_:)-(Migration)``. Each
/// operation sees the earlier ones. The editor can be used inside of the closure that received the transaction
/// and on its thread; any other use throws `transactionEnded`.
public final class TreeEditor: TreeReader {
  /// Replaces the value of a place and everything below it. See ``TreeReference/setValue(_:)``.
  ///
  /// - Throws: `FiefError` of code `foreignObject` for a reference of another store; `transactionEnded`
  ///   outside of the closure; the errors of ``TreeReference/setValue(_:)``. If a name, a path or a
  ///   value is refused, the write is as it was before the call.
  public func setValue(_ value: JSON, at reference: TreeReference) throws {
    let changes = try TreeChanges(value, at: reference.location)
    try apply(changes, at: reference)
  }

  /// Removes the value of a place and everything below it. See ``TreeReference/removeValue()``.
  ///
  /// - Throws: the errors of ``setValue(_:at:)``.
  public func removeValue(at reference: TreeReference) throws { try setValue(.null, at: reference) }

  /// Replaces the values of several places below another one. See ``TreeReference/updateChildValues(_:)``.
  ///
  /// - Parameters:
  ///   - values: values by path.
  ///   - reference: the place at which the paths begin.
  /// - Throws: the errors of ``setValue(_:at:)``, and `overlappingPaths`.
  public func updateChildValues(_ values: JSONObject, at reference: TreeReference) throws {
    let changes = try TreeChanges(values, below: reference.location)
    try apply(changes, at: reference)
  }

  private func apply(_ changes: TreeChanges, at reference: TreeReference) throws {
    try check(reference)
    let changes = changes.checked(for: client ?? reference.client)
    switch access {
    case .write(let transaction): try changes.apply(in: transaction)
    case .migration(let migration): try changes.apply(in: migration)
    // An editor is made in a write or a migration.
    case .scope: break
    }
  }
}
