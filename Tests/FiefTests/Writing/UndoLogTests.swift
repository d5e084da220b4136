import Testing

@testable import FiefCore

/// The log of changes in memory without a write.
struct UndoLogTests {
  private struct Refused: Error {}

  @Test func aFailedStepUndoesOnlyItsOwnChanges() {
    let (log, first, second) = (UndoLog(), WriteAuthor("a"), WriteAuthor("b"))
    log.append(.revival, of: first)
    #expect(throws: Refused.self) {
      try log.step {
        log.append(.revival, of: second)
        throw Refused()
      }
    }
    #expect(!first._wasDeleted && second._wasDeleted)
    second._wasDeleted = false
    log.undo()
    #expect(first._wasDeleted && !second._wasDeleted)
  }

  /// As when code of the application cancels the write while its objects are encoded.
  @Test func aStepMayFailAfterEverythingWasUndone() {
    let (log, object) = (UndoLog(), WriteAuthor("a"))
    log.append(.revival, of: object)
    log.append(.revival, of: object)
    #expect(throws: Refused.self) {
      try log.step {
        log.undo()
        throw Refused()
      }
    }
    #expect(object._wasDeleted)
  }
}
