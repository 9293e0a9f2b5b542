// Plays the moves of AIAlgorithm() in {class} by input.txt and output.txt.
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

class adapter_of_the_course {
    public static void main(String[] words) throws Throwable {
        String[] input = new String(Files.readAllBytes(Paths.get("input.txt")), StandardCharsets.UTF_8).trim().split("\\s+");
        boolean wolves = input[1].equals("WOLVES");
        StringBuilder board = new StringBuilder();
        for (int y = 0; y < 5; y++) {
            String row = input[3 + y].replace('W', '2').replace('S', '1').replace('.', '0');
            board.append(String.join(",", row.split(""))).append('\n');
        }
        Path state = Paths.get("round0", wolves ? "state_0.txt" : "state_1.txt");
        Files.createDirectories(state.getParent());
        Files.write(state, board.toString().getBytes(StandardCharsets.UTF_8));
        Method method = Class.forName("{class}").getDeclaredMethod("AIAlgorithm", String.class, boolean.class);
        method.setAccessible(true);
        Object owner = null;
        if (!Modifier.isStatic(method.getModifiers())) {
            java.lang.reflect.Constructor<?> constructor = method.getDeclaringClass().getDeclaredConstructor();
            constructor.setAccessible(true);
            owner = constructor.newInstance();
        }
        int[] move;
        try {
            move = (int[]) method.invoke(owner, "round0/" + state.getFileName(), wolves);
        } catch (InvocationTargetException error) {
            throw error.getCause();
        }
        boolean eats = Math.abs(move[3] - move[1]) + Math.abs(move[2] - move[0]) == 2;
        String line = (eats ? "J " : "E ") + move[1] + "," + move[0] + " " + move[3] + "," + move[2] + "\n";
        Files.write(Paths.get("output.txt"), line.getBytes(StandardCharsets.UTF_8));
    }
}
