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
}
