// A global constant has to be safe on all threads, or belong to one actor.

extension PetRepository {
  // SAFETY: the repository has no state.
  nonisolated(unsafe) static let shared = PetRepository()
}

extension AuthRepository {
  @MainActor static let shared = AuthRepository()
}
