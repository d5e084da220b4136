#if os(Linux)
  import Fief
  import Testing

  /// A store on a file system that is mounted for reading only.
  @Suite(.serialized, .enabled(if: SmallDisk.isPossible, "mounting a file system is not permitted"))
  struct ReadOnlyDiskTests {
    @Test func theErrorNamesTheOptionThatOpensTheStore() throws {
      let disk = try #require(SmallDisk(kilobytes: 4 << 10))
      let repository = WriteRepository.onDisk(disk.directory)
      try repository.saveNow([WriteBook("1", title: "One")])
      repository.close()
      #expect(disk.makeReadOnly())
      let error = try #require(repository.store().openingError)
      #expect(error.code == .readOnlyStore && error.message.contains("isReadOnly"), "\(error)")
      #expect(!error.message.contains("was opened for reading only"))
      var reading = repository
      reading.storeOptions.isReadOnly = true
      #expect(reading.store().openingError == nil)
      #expect(reading.book("1")?.title == "One")
      #expect(try reading.check().problems == [])
      reading.close()
    }
  }
#endif
