import LMDB

extension ObservationHub {
  /// Returns the ids of the tokens' observations that belong to this store.
  package func observations(of tokens: [NotificationToken]) -> Set<ObservationMachine.ID> {
    Set(
      tokens.compactMap { token in
        guard let observation = token.observation, observation.hub === self else { return nil }
        return observation.id
      }
    )
  }

  /// Ends the observations of exactly a place.
  package func removeObservations(at place: [ExactText]) {
    let ids = state.withLock { state in
      state.machine.index.observations(at: place).filter {
        state.machine.observations[$0]?.interest.places.first == place
      }
    }
    for id in ids { remove(id) }
  }
}
