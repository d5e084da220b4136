import Foundation
import TestEffort
import Testing

@testable import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Pages are the same whether they are read one by one or many at once.
@Suite struct PageReaderTests {
  private static let pageSize = 512
  private static let count = 200
  /// The bytes of the last page, which the file has not all of.
  private static let rest = 100

  /// Calls a closure with a file whose pages have their numbers in them.
  private func withFile(_ body: (Int32) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("fief-pages-\(UUID())").path
    defer { unlink(path) }
    var bytes = (0..<Self.count).flatMap { page in
      (0..<Self.pageSize).map { UInt8(truncatingIfNeeded: page &* 31 &+ $0) }
    }
    bytes.removeLast(Self.pageSize - Self.rest)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let descriptor = systemOpen(path, O_RDONLY)
    defer { systemClose(descriptor) }
    try body(descriptor)
  }

  private func expect(_ numbers: [Int], _ descriptor: Int32) {
    var reader = PageReader(descriptor, pageSize: Self.pageSize)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pageSize, alignment: 16)
    defer { buffer.deallocate() }
    for number in numbers {
      let page = reader.page(UInt64(number), orInto: buffer).map { Array($0) }
      let wanted = number < Self.count - 1 ? Self.pageSize : number == Self.count - 1 ? Self.rest : 0
      #expect(
        page == (0..<wanted).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) },
        "page \(number) of \(numbers)"
      )
    }
  }

  @Test("in order, backwards, with steps, again, and beyond the end")
  func orders() throws {
    try withFile { descriptor in
      let all = Array(0..<Self.count)
      expect(all, descriptor)
      expect(all.reversed(), descriptor)
      expect(all.filter { $0 % 3 == 0 }, descriptor)
      expect(Array(40..<60) + Array(10..<50) + Array(45..<Self.count), descriptor)
      expect(Array(190..<210), descriptor)
      expect([5, 6, 7, 8, 7, 6, 200, 201, 202, 203, 9, 10, 11, 0], descriptor)
    }
  }

  @Test("runs of random lengths")
  func runs() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("seed \(seed)")
    var generator = Generator(state: seed)
    try withFile { descriptor in
      for _ in 0..<TestEffort.count(6, more: 50) {
        let numbers = (0..<20).flatMap { _ in
          let first = Int.random(in: 0..<Self.count, using: &generator)
          return Array(first...(first + Int.random(in: 0..<50, using: &generator)))
        }
        expect(numbers, descriptor)
      }
    }
  }

  @Test("a failure of the system is none of a page that ends")
  func failure() {
    var reader = PageReader(-1, pageSize: Self.pageSize)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pageSize, alignment: 16)
    defer { buffer.deallocate() }
    for number in 0..<4 as Range<UInt64> { #expect(reader.page(number, orInto: buffer) == nil) }
  }
}
