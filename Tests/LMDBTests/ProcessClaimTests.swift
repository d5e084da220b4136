import Testing

@testable import LMDB

/// The claim on a store of systems whose locks of writers are not robust. Linux does not need it, and can make it.
struct ProcessClaimTests {
  private func place(_ scratch: Scratch) throws -> StoreDirectory {
    try StoreDirectory(path: scratch["store"], creating: true, allowsGroup: false)
  }

  @Test func aStoreIsClaimedOnce() throws {
    let scratch = Scratch()
    let claim = try ProcessClaim(try place(scratch))
    // A second descriptor of the directory stands for another process: the lock belongs to the descriptor.
    let error = #expect(throws: LMDBError.self) { _ = try ProcessClaim(try place(scratch)) }
    #expect(error?.code == .inUse)
    withExtendedLifetime(claim) {}
  }

  @Test func theEndOfAClaimReleasesTheStore() throws {
    let scratch = Scratch()
    for _ in 0..<2 { _ = try ProcessClaim(try place(scratch)) }
  }

  @Test func aStoreWithRobustLocksIsNotClaimed() throws {
    let scratch = Scratch()
    let claim = try ProcessClaim.ifNeeded(try place(scratch), EnvironmentOptions())
    #expect((claim != nil) == ProcessClaim.isNeeded)
  }
}
