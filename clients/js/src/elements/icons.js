import { icon } from './dom.js'

export const bell = () => icon('M6 9a6 6 0 0 1 12 0c0 6 2.5 7 2.5 7h-17S6 15 6 9m4 11a2 2 0 0 0 4 0')
export const checks = () => icon('m2 13 5 5L18 6m-6 12L22 7')
export const cross = () => icon('M6 6l12 12M18 6 6 18')
export const question = () => icon('M9 9a3 3 0 1 1 4 2.8c-.7.3-1 .9-1 1.7v.5m0 3v.1M12 2a10 10 0 1 0 .1 0')
export const caught = () => icon('M4 13v6h16v-6m-16 0 3-8h10l3 8m-16 0h4a4 4 0 0 0 8 0h4')
