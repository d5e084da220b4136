import Foundation
import Testing

@testable import PetStoreKit

/// The program itself, run as people run it.
@Suite("The program") struct CommandTests {
  /// The executable, which is built beside the tests.
  private static let executable: URL? = {
    let folders = [
      Bundle.main.bundleURL, URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    return folders.map { $0.appending(path: "petstore") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
  }()

  private struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  private func run(_ arguments: String...) throws -> Outcome {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    let executable: URL = try #require(Self.executable)
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let message = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: message, as: UTF8.self)
    )
  }

  @Test("Help goes to the output, a mistake to the errors with status 2")
  func usage() throws {
    let help = try run("--help")
    #expect(help.status == 0)
    #expect(help.output.contains("petstore closure PACKAGE"))
    let mistake = try run("dance")
    #expect(mistake.status == 2)
    #expect(mistake.output.isEmpty)
    #expect(mistake.errors.contains("'dance'"))
  }

  @Test("What one process imports another one finds")
  func importAndClosure() async throws {
    try await Fixtures.withDirectory { directory in
      let index = directory.appending(path: "index")
      try Data(
        """
        Package: app
        Version: 1
        Depends: lib (>= 2)

        Package: lib
        Version: 2
        Installed-Size: 1024

        """.utf8
      ).write(to: index)
      let stores = directory.appending(path: "stores").path(percentEncoded: false)
      let loaded = try run("import", "--index", index.path(percentEncoded: false), "--directory", stores)
      #expect(loaded.status == 0, "\(loaded.errors)")
      #expect(loaded.output.contains("2 packages"))
      #expect(!loaded.output.contains("\u{1B}"))
      let closure = try run("closure", "app", "--directory", stores)
      #expect(closure.status == 0, "\(closure.errors)")
      #expect(closure.output.contains("1.0 MiB"))
      let unknown = try run("closure", "nothing", "--directory", stores)
      #expect(unknown.status == 1)
      #expect(unknown.errors.contains("'nothing'"))
    }
  }

  @Test("Who has stores of version 1 goes on with them")
  func oldStores() throws {
    try FixtureStores.with(["auth", "pets", "payments", "catalogue"], version: 1) { directory in
      for _ in 1...2 {
        let closure = try run("closure", "bash", "--directory", directory)
        #expect(closure.status == 0, "\(closure.errors)")
        #expect(closure.output.contains("2:2.36~rc1-9+b1"))
      }
      let pets = PetRepository(directory: directory)
      defer { pets.close() }
      try FixtureStores.check(pets, version: 3)
    }
  }

  @Test("Orders reported before a SIGKILL are all there, three times in a row")
  func killed() async throws {
    try await Fixtures.withDirectory { directory in
      let executable = try #require(Self.executable)
      let path = directory.path(percentEncoded: false)
      let payments = PaymentsRepository(directory: path)
      try await payments.load(try ISOCodes.load())
      try await payments.stock(fromJSON: DemoData.productsJSON())
      payments.close()
      var first = 1
      for count in [1, 60, 200] {
        let reported = try await OrderWriterProcess()
          .run(executable, directory: path, first: first, killedAfter: count)
        #expect(reported.count >= count)
        let found = try payments.totals(ofOrders: reported.keys)
        #expect(found == reported)
        first = try payments.lastOrderNumber() + 1
        payments.close()
      }
    }
  }

  @Test("A child that ends by itself is an error, and a cut line was not reported")
  func deadChild() async throws {
    await #expect(throws: InputError.self) {
      try await OrderWriterProcess()
        .run(URL(filePath: "/bin/true"), directory: "x", first: 1, killedAfter: 1)
    }
    #expect(OrderWriterProcess.orders(in: Array("1 2.50\n2 3\nodd\n3 4.".utf8)) == [1: 2.5, 2: 3])
    #expect(OrderWriterProcess.orders(in: Array("1 2".utf8)).isEmpty)
  }
}
