import Fief
import Foundation
import Testing

private final class Note: Object {
  @Persisted(primaryKey: true) var id = 0
}

/// A store that this process has open for reading only cannot be opened for writing.
@Suite struct OpenForReadingTests {
  @Test func openingForWritingSaysWhatHasTheStore() throws {
    try MigratingStore.withDirectory { directory in
      let repository = MigratingStore(directory, version: 1, [Note.self])
      try repository.opened { try $0.write { try $0.add(Note()) } }
      let reading = try DynamicStore(directory: directory + "/migrated")
      let error = try repository.failure()
      #expect(error.code == .storeInUse && error.message.contains("open for reading only"), "\(error)")
      reading.close()
      try repository.opened { store in
        let count = try store.all(Note.self).count
        #expect(count == 1)
      }
    }
  }
}
