#if canImport(SwiftUI)
    public import SwiftUI

    extension Inbox {
        /// Says whether somebody looks, by the phase of a scene: `.onChange(of: scenePhase) { … }`.
        public func setAttention(_ phase: ScenePhase) { setAttention(phase == .active) }
    }
#endif

#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import UIKit

    extension Inbox {
        /// Says whether somebody looks, by the app's own coming and going, until the task that calls it is cancelled.
        ///
        /// For apps of UIKit: one task for the life of the app, begun at its launch, before it becomes active. Asks
        /// nothing of the application itself, so that app extensions can have the library, too.
        public func followApplication() async {
            await withTaskGroup(of: Void.self) { group in
                for (name, isLookedAt) in [
                    (UIApplication.didBecomeActiveNotification, true),
                    (UIApplication.willResignActiveNotification, false),
                ] {
                    group.addTask {
                        for await _ in NotificationCenter.default.notifications(named: name).map({ _ in }) {
                            await self.setAttention(isLookedAt)
                        }
                    }
                }
            }
        }
    }
#endif
