import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *On a server*.
@Suite(.serialized) struct ServerArticleTests {
  final class Order: Object {
    @Persisted(primaryKey: true) var number = 0
  }

  // Documentation: begin repository
  struct OrderRepository: DatabaseConfigurable, Sendable {
    let schemaName: String? = "orders"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Order.self]

    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.migratesOnOpen = false  // A command migrates when a release is deployed.
      return options
    }
  }
  // Documentation: end repository

  // Documentation: begin serve
  /// Runs until the server's work is done, which is when it has been asked to stop and has answered its last request.
  func serve(directory: String, _ requests: @Sendable () async throws -> Void) async throws {
    let manager = StoreManager(directory: directory, repositories: [OrderRepository()])
    defer { manager.close() }  // Commits what waits in the queues, then closes the files.
    try manager.openAll()
    try await requests()
  }
  // Documentation: end serve

  // Documentation: begin backup
  /// Copies the store while it is in use, and looks at every page and record of the copy.
  func backUp(_ orders: OrderRepository, to directory: String) throws {
    try orders.backup(to: directory)
    let copy = try DynamicStore(directory: directory)
    defer { copy.close() }
    let report = try copy.check()
    guard report.isConsistent else { throw BackupError.damaged(report.problems) }
  }

  enum BackupError: Error { case damaged([String]) }
  // Documentation: end backup

  @Test func aServerOpensBacksUpAndCloses() async throws {
    let directory = try TemporaryDirectory()
    try await serve(directory: directory["data"]) {
      try await OrderRepository().save(entity: Order(value: ["number": 1]), update: true)
      try await OrderRepository().write { try $0.create(Order.self, value: ["number": 2]) }
      try backUp(OrderRepository(), to: directory["copies/orders"])
    }
    #expect(FileManager.default.fileExists(atPath: directory["data/orders/data.mdb"]))
    let copy = try DynamicStore(directory: directory["copies/orders"])
    #expect(try copy.count(of: "Order") == 2)
    copy.close()
  }

  @Test func anOlderStoreIsNotMigratedByTheServer() async throws {
    let directory = try TemporaryDirectory()
    let old = TestRepository("orders", in: directory["data"], version: 0, objectTypes: [Order.self])
    try old.open()
    old.close()
    let error = await #expect(throws: FiefError.self) { try await serve(directory: directory["data"]) {} }
    #expect(error?.code == .migrationRequired)
  }

  @Test func theArticleShowsIt() throws { try ArticleCode.expectSame("OnAServer", as: #filePath) }
}
