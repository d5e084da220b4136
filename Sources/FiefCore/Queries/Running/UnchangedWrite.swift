/// Notes that a write changes something.
final class UnchangedWrite: RowLoop {
  private(set) var isUnchanged = true

  func isConcerned(by table: Table?) -> Bool { true }

  func keepRest() { isUnchanged = false }
}
