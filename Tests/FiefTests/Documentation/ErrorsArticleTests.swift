import Fief
import FiefTesting
import Foundation
import Testing

/// The code of the article *Errors, events and logging*.
@Suite(.freshStores) struct ErrorsArticleTests {
  final class Order: Object {
    @Persisted(primaryKey: true) var number = 0
    @Persisted var item = ""
  }

  /// What a logging library has.
  final class Logger: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [String] = []

    var lines: [String] { lock.withLock { kept } }
    func info(_ line: String) { lock.withLock { kept.append("info: " + line) } }
    func error(_ line: String) { lock.withLock { kept.append("error: " + line) } }
  }

  static let logger = Logger()

  // Documentation: begin logging
  enum EventLog {
    static func record(_ event: StoreEvent) {
      switch event {
      case .migrated(let store, let from, let to):
        logger.info("\(store): migrated from version \(from) to \(to)")
      case .longReader(let store, let reader, let heldBytes, _):
        logger.info("\(store): \(reader) holds \(heldBytes) bytes")
      default:
        guard event.isFailure else { return }
        logger.error("\(event.store): \(event.failure.map { "\($0)" } ?? "\(event)")")
      }
    }
  }

  struct OrderRepository: DatabaseConfigurable {
    let schemaName: String? = "orders"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = [Order.self]

    var storeOptions: StoreOptions {
      var options = StoreOptions()
      options.eventHandler = { EventLog.record($0) }
      return options
    }
  }
  // Documentation: end logging

  private let orders = OrderRepository()

  // Documentation: begin catching
  func place(_ order: Order) async throws -> String {
    do {
      try await orders.save(entity: order, update: .error)
      return "Order \(order.number) was placed."
    } catch let error as FiefError {
      switch error.code {
      case .duplicatePrimaryKey: return "Order \(order.number) was placed before."
      case .storeFull: return "There is no room for more orders."
      case .unknownOutcome:
        // In a write, which opens the store again: before that it cannot be read.
        let number = order.number
        let isThere = try await orders.write { try $0.exists(Order.self, forPrimaryKey: number) }
        return isThere ? "Order \(order.number) was placed." : "Try again."
      default: throw error
      }
    }
  }
  // Documentation: end catching

  @Test func errorsAreToldByTheirCodes() async throws {
    let order = Order(value: ["number": 7, "item": "boat"] as [String: Any])
    #expect(try await place(order) == "Order 7 was placed.")
    #expect(try await place(order.detached()) == "Order 7 was placed before.")
    try orders.writes.failNext(with: FiefError(.storeFull, "The disk is full."))
    #expect(try await place(Order(value: ["number": 8])) == "There is no room for more orders.")
    try orders.writes.failNext(with: FiefError(.inputOutput, "The disk failed."))
    let error = await #expect(throws: FiefError.self) { try await place(Order(value: ["number": 9])) }
    #expect(error?.code == .inputOutput)
    try orders.writes.failNext(with: FiefError(.unknownOutcome, "The disk failed."))
    #expect(try await place(Order(value: ["number": 10])) == "Try again.")
  }

  @Test func aDescriptionHasNoValues() throws {
    try orders.saveAndWait(entity: Order(value: ["number": 7, "item": "boat"] as [String: Any]))
    // Documentation: begin showing
    do {
      try orders.saveAndWait(entity: Order(value: ["number": 7]), update: false)
    } catch let error as FiefError {
      print(error)  // For a log: the key is not in it.
      print(error.showingValues())  // For whom it concerns: with the key.
      print(error.store ?? "", error.type ?? "", error.key ?? "")
    }
    // Documentation: end showing
    let error = #expect(throws: FiefError.self) {
      try orders.saveAndWait(entity: Order(value: ["number": 7]), update: false)
    }
    #expect(error?.store == "orders" && error?.type == "Order" && error?.key == "7")
    #expect(
      error?.description.contains("7") == false && error?.showingValues().description.contains("7") == true
    )
  }

  @Test func whatThrowsNothingIsAnEvent() throws {
    try orders.open()
    let before = Self.logger.lines.count
    let events = withExpectedEvents {
      // Documentation: begin silent
      let count = orders.store().objects(Order.self).filter("itme = 'boat'").count
      print(count)  // 0, and the event handler has got an error of code unknownProperty.
      // Documentation: end silent
    }
    #expect(events.map(\.failure?.code) == [.unknownProperty])
    let lines = Self.logger.lines.dropFirst(before)
    #expect(lines.contains { $0.hasPrefix("error: orders: unknownProperty") })
  }

  @Test func theArticleShowsIt() throws {
    try ArticleCode.expectSame("ErrorsEventsAndLogging", as: #filePath)
  }
}
