// `import Fief` brings all rings. The core knows none of those around it.
@_exported import FiefCore
@_exported import FiefInspection
@_exported import FiefMultiStore
@_exported import FiefObserving
@_exported import FiefOperations
@_exported import FiefViews
