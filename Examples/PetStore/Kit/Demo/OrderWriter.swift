import Foundation

/// Places orders from several tasks until the process is stopped, and reports each on standard output
/// once it is stored: the child that the demo kills.
struct OrderWriter {
  private let directory: String
  private let first: Int
  private let taskCount = 4

  /// Makes a writer whose orders are numbered from `first`.
  init(directory: String, first: Int) {
    self.directory = directory
    self.first = first
  }

  /// Writes without end; a line is `NUMBER TOTAL`, and comes only after the store has said that the order
  /// is on disk.
  func run() async throws {
    let payments = PaymentsRepository(directory: directory)
    let start = first
    let step = taskCount
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<step {
        group.addTask {
          var data = DemoData(seed: UInt64(start + task))
          var number = start + task
          while true {
            let customer = data.customer(number: number)
            let total = try await payments.place(customer.order(number: number, userID: UUID()))
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
