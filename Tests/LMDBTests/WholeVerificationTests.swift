import Foundation
import LMDB
import Testing

/// The damage that the default verification finds when a store is opened.
@Suite struct WholeVerificationTests {
  let scratch = Scratch()
  private var path: String { scratch["store"] + "/data.mdb" }

  private func make() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.write { transaction throws in
      for index in 0..<2000 { try transaction.put(items, "key \(index)", String(repeating: "v", count: 50)) }
    }
  }

  private func opening(_ change: (inout EnvironmentOptions) -> Void = { _ in }) -> LMDBError.Code? {
    var options = EnvironmentOptions.small()
    change(&options)
    return code { try Environment.open(directory: scratch["store"], options: options).close() }
  }

  /// Lets two nodes of a leaf change places: LMDB would look for some keys in vain.
  private func swapNodes() throws {
    var file = try Data(contentsOf: URL(fileURLWithPath: path))
    let page = try #require(
      (2..<file.count / 4096).last { file[$0 * 4096 + 10] == 2 && file[$0 * 4096 + 12] > 40 }
    )
    let place = page * 4096 + 16
    for byte in 0..<2 { file.swapAt(place + byte, place + 8 + byte) }
    try file.write(to: URL(fileURLWithPath: path))
    #expect(chmod(path, 0o600) == 0)
  }

  @Test func aSmallStoreIsVerifiedWholeWhenItIsOpened() throws {
    try make()
    #expect(opening() == nil)
    try swapNodes()
    #expect(opening() == .damaged)
    #expect(opening { $0.verification = .quick } == nil)
    #expect(opening { $0.verification = .full } == .damaged)
  }
}
