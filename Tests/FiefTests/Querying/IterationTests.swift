import Fief
import Foundation
import Testing

/// Iterating over results, which are read in batches.
struct IterationTests {
  private let directory: TemporaryDirectory
  private let isbns = (0..<300).map { "\(1000 + $0)" }

  init() throws { directory = try TemporaryDirectory() }

  private func library() throws -> WriteRepository {
    let repository = WriteRepository.onDisk(directory)
    try repository.saveNow(isbns.map { WriteBook($0, pages: 1) })
    return repository
  }

  @Test func everyObjectComesOnceHoweverManyBatchesItTakes() throws {
    let repository = try library()
    defer { repository.closeChecked() }
    let books = repository.store().objects(WriteBook.self)
    #expect(books.map(\.isbn) == isbns)
    #expect(books.sorted(byKeyPath: "isbn", ascending: false).map(\.isbn) == isbns.reversed())
    for count in [0, 1, 2, 8, 9, 10, 72, 73, 74, 137, 299, 300] {
      #expect(books.prefix(count).map(\.isbn) == Array(isbns.prefix(count)))
    }
    try repository.read { #expect($0.objects(WriteBook.self).map(\.isbn) == isbns) }
  }

  @Test func largeRecordsComeOnceAndWhole() throws {
    let repository = WriteRepository.onDisk(directory)
    defer { repository.closeChecked() }
    let titles = (0..<20).map { String(repeating: "\($0 % 10)", count: $0 * $0 * 500) }
    try repository.saveNow(titles.indices.map { WriteBook("\(100 + $0)", title: titles[$0]) })
    let books = repository.store().objects(WriteBook.self)
    #expect(books.map(\.title) == titles)
    #expect(books.filter(#Predicate { $0.isbn > "110" }).map(\.title) == Array(titles.dropFirst(11)))
  }

  @Test func betweenBatchesOthersMayWrite() throws {
    let repository = try library()
    defer { repository.closeChecked() }
    var seen: [String] = []
    for book in repository.store().objects(WriteBook.self) {
      seen.append(book.isbn)
      guard seen.count % 50 == 0 else { continue }
      let isbn = book.isbn
      try repository.write { transaction in
        if let gone = try transaction.object(ofType: WriteBook.self, forPrimaryKey: isbn) {
          try transaction.delete(gone)
        }
        try transaction.add(WriteBook("0\(isbn)"))
      }
    }
    #expect(seen == isbns)
    #expect(try repository.count(WriteBook.self) == 300)
  }

  @Test func aWriteMayDeleteWhatItIteratesOver() throws {
    let repository = try library()
    defer { repository.closeChecked() }
    try repository.write { transaction in
      for book in transaction.objects(WriteBook.self) where book.isbn.hasSuffix("7") {
        try transaction.delete(book)
      }
      try transaction.objects(WriteBook.self).forEachObject { book in
        if book.isbn.hasSuffix("8") { try transaction.delete(book) }
      }
    }
    let left = isbns.filter { !$0.hasSuffix("7") && !$0.hasSuffix("8") }
    #expect(repository.store().objects(WriteBook.self).map(\.isbn) == left)
  }

  @Test func objectsOutliveTheirIterator() throws {
    let repository = try library()
    defer { repository.closeChecked() }
    var iterator: ResultsIterator<WriteBook>? = repository.store().objects(WriteBook.self).makeIterator()
    var kept: [WriteBook] = []
    for _ in 0..<20 { if let book = iterator?.next() { kept.append(book) } }
    iterator = nil
    #expect(kept.map(\.isbn) == Array(isbns.prefix(20)))
  }
}
