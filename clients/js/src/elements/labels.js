const plural = (one, other) => (count) => (count === 1 ? one : other.replace('{count}', count))

/** The words of the elements. Each may be replaced by a text, in which `{count}` stands for a number, or by a function. */
export const labels = {
  title: 'Notifications',
  today: 'Today',
  yesterday: 'Yesterday',
  week: 'This week',
  earlier: 'Earlier',
  justNow: 'now',
  unread: 'Unread',
  markAllRead: 'Mark all as read',
  remove: 'Remove',
  explain: 'Why did I get this?',
  unexplained: 'There is nothing to tell about this one.',
  followBack: 'Follow back',
  following: 'Following',
  morePictures: 'and {count} more',
  showGroup: plural('1 more like this', '{count} more like this'),
  hideGroup: 'Show fewer',
  empty: 'You are all caught up',
  emptyHint: 'New notifications will show up here.',
  loading: 'Loading…',
  loadMore: 'Load more',
  waiting: plural('Offline. Trying again in a second.', 'Offline. Trying again in {count} seconds.'),
  waitingToken: plural('Cannot sign in. Trying again in a second.', 'Cannot sign in. Trying again in {count} seconds.'),
  retry: 'Try now',
  stopped: 'Notifications are off.',
  signed_out: 'You are signed out.',
  token_refused: 'Please sign in again.',
  revoked: 'This account is closed.',
  unsupported_version: 'Please reload the page.',
  failed: 'That did not work. Please try again.',
  arrived: plural('One new notification', '{count} new notifications'),
  bell: plural('Notifications, one unread', 'Notifications, {count} unread'),
  bellNone: 'Notifications, none unread',
  close: 'Close',
}

/** A label in words, with its number or text if it has a place for one. */
export const say = (label, count) => (label?.call ? label(count) : `${label}`.replace(/\{\w+\}/, count))
