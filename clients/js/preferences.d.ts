import { BelfryElement } from './elements.js'

/** An element for a person's settings: which notifications, and when. */
export class BelfryPreferences extends BelfryElement {
  /** The name that people see for a muted subject, such as `room:789`. */
  subjectName: (subject: string) => string
}

declare global {
  interface HTMLElementTagNameMap {
    'belfry-preferences': BelfryPreferences
  }
}
