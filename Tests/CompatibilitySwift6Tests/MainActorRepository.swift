import Fief
import Foundation

/// The repository as a target with the main actor as its default isolation declares it, written out.
@MainActor class MainActorRepository: @MainActor DatabaseConfigurable {
  static let shared = MainActorRepository()

  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "Main" }
  var schemaVersion: UInt64? { 1 }
  var objectTypes: [Object.Type]? { [Token.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  var migrationBlock: MigrationBlock? { nil }
}

@MainActor final class TokenViewModel {
  var tokens: [Token] = []
  var failures: [Error] = []
  /// Called after each handler.
  var onDone: () -> Void = {}
  let repository = MainActorRepository.shared

  func add(_ value: String) {
    let token = Token()
    token.value = value
    repository.save(entity: token, update: true) { result in
      switch result {
      case .success: self.tokens.append(token)
      case .failure(let error): self.failures.append(error)
      }
      self.onDone()
    }
  }

  func addLater(_ value: String) async {
    let token = Token()
    token.value = value
    do {
      try await repository.save(entity: token, update: true)
      tokens.append(token)
    } catch {
      failures.append(error)
    }
  }

  func startAdding(_ value: String) -> Task<Void, Never> {
    Task { await addLater(value) }
  }

  func reload() {
    tokens = repository.queryAll(returningClass: Token.self)?.sorted { $0.value < $1.value } ?? []
  }
}
