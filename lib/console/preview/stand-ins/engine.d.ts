declare module 're2js/whole' {
  export { RE2JS } from 're2js';
}
