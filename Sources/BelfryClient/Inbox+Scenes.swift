#if canImport(SwiftUI)
    public import SwiftUI

    extension Inbox {
        /// Sets whether somebody looks, by the phase of a scene: `.onChange(of: scenePhase) { … }`.
        public func setAttention(_ phase: ScenePhase) { setAttention(phase == .active) }
    }
#endif

#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import UIKit

    extension Inbox {
        /// Sets whether somebody looks whenever the app becomes active or inactive, until the calling task is
        /// cancelled.
        ///
        /// For apps of UIKit: run one task for the life of the app, from its launch on, before it becomes active. Uses
        /// only notifications, not the application object, so that app extensions can use the library too.
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
