/// Notes that a write changes something.
final class UnchangedWrite: RowLoop {
  private(set) var isUnchanged = true

  override func keepRest() { isUnchanged = false }
}
