/// Records whether a write transaction has changed anything.
final class UnchangedWrite: RowLoop {
  private(set) var isUnchanged = true

  func isConcerned(by table: Table?) -> Bool { true }

  func keepRest() { isUnchanged = false }
}
