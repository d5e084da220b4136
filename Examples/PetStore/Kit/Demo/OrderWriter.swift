import Foundation

/// Places orders from several tasks until the process is stopped, and reports each on standard output
/// once it is stored: the child that the demo kills. The orders of one task are for dogs, and change two stores.
struct OrderWriter {
  private let directory: String
  private let first: Int
  private static let taskCount = 4

  /// Makes a writer whose orders are numbered from `first`.
  init(directory: String, first: Int) {
    self.directory = directory
    self.first = first
  }

  /// The dogs that orders are about, by the numbers of the orders, of a writer that began with `first` and has come as
  /// far as `last`, or a little further.
  static func dogs(first: Int, last: Int) -> [Int: UUID] {
    let numbers = stride(from: first, through: last + taskCount, by: taskCount)
    return Dictionary(uniqueKeysWithValues: numbers.map { ($0, dog(ofOrder: $0)) })
  }

  private static func dog(ofOrder number: Int) -> UUID {
    withUnsafeBytes(of: UInt64(number).bigEndian) { bytes in
      UUID(
        uuid: (
          0xD0, 0x60, 0, 0, 0, 0, 0x40, 0, bytes[0] | 0x80, bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
          bytes[6], bytes[7]
        )
      )
    }
  }

  /// Writes without end; a line is `NUMBER TOTAL`, and comes only after the store has said that the order
  /// is on disk.
  func run() async throws {
    let store = try PetStore.encrypted(in: directory)
    let start = first
    let step = Self.taskCount
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<step {
        group.addTask {
          var data = DemoData(seed: UInt64(start + task))
          var number = start + task
          while true {
            let customer = data.customer(number: number)
            let order = customer.order(number: number, userID: UUID())
            var total = Decimal(0)
            if task == 0 {
              let dog = Self.dog(ofOrder: number)
              try await store.pets.takeIn(customer.dogs[0], id: dog)
              total = try await store.sell(dog, to: customer.name, order)
            } else {
              total = try await store.payments.place(order)
            }
            // One short write to a pipe is never divided, so the line arrives whole or not at all.
            try FileHandle.standardOutput.write(contentsOf: Data("\(number) \(total)\n".utf8))
            number += step
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

extension DemoData.Customer {
  /// The order of what the customer wants, to where the customer lives.
  func order(number: Int, userID: UUID) -> PaymentsRepository.OrderRequest {
    PaymentsRepository.OrderRequest(
      number: number,
      userID: userID,
      quantities: quantities,
      street: address.street,
      postcode: address.postcode,
      city: address.city,
      countryCode: address.country
    )
  }
}

extension OrderWriter {
  /// Runs a writer in a process of its own and kills it in the middle.
  ///
  /// - Returns: the total of each order that the child reported as stored, until it died.
  /// - Throws: ``InputError`` when it cannot be started or ends before `count` orders.
  static func orders(
    from executable: String,
    directory: String,
    first: Int,
    killedAfter count: Int
  ) async throws -> [Int: Decimal] {
    let arguments = ["orders", "--directory", directory, "--first", String(first)]
    return orders(in: try await ReportingProcess(executable, arguments).lines(killedAfter: count))
  }

  /// The orders of lines; other lines are skipped.
  static func orders(in lines: [String]) -> [Int: Decimal] {
    var orders: [Int: Decimal] = [:]
    for line in lines {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let number = Int(parts[0]), let total = Decimal(string: String(parts[1]))
      else { continue }
      orders[number] = total
    }
    return orders
  }
}
