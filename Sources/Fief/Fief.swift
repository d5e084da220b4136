// `import Fief` imports the core and the modules around it. The core does not depend on any of them.
@_exported import FiefCore
@_exported import FiefInspection
@_exported import FiefMultiStore
@_exported import FiefObserving
@_exported import FiefOperations
@_exported import FiefViews
